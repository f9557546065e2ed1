//! Moving damaged bytes aside.

use super::support::{DATASET, MODEL, RUN, encoded, file, id, line, neighbours, wait};
use ragsql::evidence::quarantine::{inspect, quarantine};
use ragsql::evidence::store::Store;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

#[test]
fn a_torn_tail_goes_aside_and_the_cell_it_names_comes_back() {
    let whole = format!("{}\n{}\n", line("q1"), line("q2"));
    let torn = line("q3");
    let torn = &torn[..torn.find(",\"runner_version\"").unwrap()];
    let (_folder, path) = file(format!("{whole}{torn}"));
    assert_eq!(inspect(&path).unwrap().moved.len(), 1);
    assert_eq!(neighbours(&path), ["rows.jsonl"], "looking changes nothing");
    let report = quarantine(&path).unwrap();
    assert_eq!(report.rows_kept, 2);
    let [moved] = &report.moved[..] else { panic!("{report:?}") };
    assert_eq!((moved.line, moved.offset, moved.length), (3, whole.len() as u64, torn.len() as u64));
    assert!(moved.reason.contains("torn") && moved.runs_again);
    let cell = &moved.cell;
    assert_eq!(cell.row_id, Some(id("q3")));
    assert_eq!((cell.run_id.as_deref(), cell.dataset_id.as_deref()), (Some(RUN), Some(DATASET)));
    assert_eq!((cell.question_id.as_deref(), cell.model.as_deref()), (Some("q3"), Some(MODEL)));
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    let aside = fs::read_to_string(&report.quarantine_path).unwrap();
    let (header, bytes) = aside.split_once('\n').unwrap();
    assert_eq!(bytes, format!("{torn}\n"));
    assert!(header.starts_with("{\"file\":\"rows.jsonl\",\"line\":3,"), "{header}");
    let store = Store::open(&path).unwrap();
    wait(store.append(encoded("q3", "yes"))).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{whole}{}\n", line("q3")));
}

#[test]
fn damage_in_the_middle_goes_aside_and_the_rows_around_it_keep_their_bytes() {
    let kept = [format!("{}\r\n", line("q1")), format!("\n{}\n", line("q2")), line("q4")];
    let (_folder, path) =
        file(format!("{}@@@@\n{}{{\"row_id\":\"x\",\"a\":\"\\ud83d\"}}\r\n{}", kept[0], kept[1], kept[2]));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let report = quarantine(&path).unwrap();
    let found: Vec<_> = report.moved.iter().map(|moved| (moved.line, moved.length)).collect();
    assert_eq!(found, [(2, 5), (5, 29)]);
    assert_eq!(report.moved[1].cell.row_id.as_deref(), Some("x"));
    assert_eq!(fs::read_to_string(&path).unwrap(), kept.concat());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(Store::open(&path).unwrap().len(), 3);
    let again = quarantine(&path).unwrap();
    assert_eq!((again.rows_kept, again.moved.len()), (3, 0));
}

#[test]
fn of_two_rows_for_one_cell_the_first_stays() {
    let (first, second) = (encoded("q1", "noon"), encoded("q1", "midday"));
    let (_folder, path) = file(format!("{}\n{}\n{}\n", first.line(), line("q2"), second.line()));
    let report = quarantine(&path).unwrap();
    assert_eq!(report.moved[0].reason, "it repeats the row of line 1");
    assert!(!report.moved[0].runs_again);
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}\n{}\n", first.line(), line("q2")));
    assert!(fs::read_to_string(&report.quarantine_path).unwrap().contains(second.line()));
}

#[test]
fn a_byte_order_mark_goes_and_its_row_stays() {
    let (_folder, path) = file(format!("\u{feff}{}\n{}\n", line("q1"), line("q2")));
    let report = quarantine(&path).unwrap();
    assert_eq!((report.rows_kept, report.moved[0].length), (2, 3));
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}\n{}\n", line("q1"), line("q2")));
}

#[test]
fn a_healthy_file_is_not_touched_and_a_missing_one_is_reported() {
    let (_folder, path) = file(line("q1"));
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(quarantine(&path).unwrap().rows_kept, 1);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
    let error = quarantine(&path.with_file_name("none.jsonl")).unwrap_err();
    assert!(error.to_string().contains("none.jsonl"), "{error}");
    assert!(!path.with_file_name(".none.jsonl.lock").exists());
}

#[test]
fn an_open_store_notices_the_new_file() {
    let (_folder, path) = file(format!("{}\n{}\n", line("q1"), line("q2")));
    let store = Store::open(&path).unwrap();
    fs::write(&path, format!("{}\n@@\n", line("q2"))).unwrap();
    quarantine(&path).unwrap();
    wait(store.append(encoded("q1", "yes"))).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}\n{}\n", line("q2"), line("q1")));
}

#[test]
fn whatever_bytes_are_damaged_the_file_opens_again_and_the_good_rows_are_all_there() {
    let rows: Vec<String> = (0..6).map(|cell| line(&format!("q{cell}"))).collect();
    let good = rows.iter().map(|row| format!("{row}\n")).collect::<String>().into_bytes();
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for round in 0..200 {
        let mut bytes = good.clone();
        let position = random(bytes.len());
        match round % 4 {
            0 => bytes[position] = random(256) as u8,
            1 => bytes.truncate(position),
            2 => drop(bytes.drain(position..(position + 1 + random(900)).min(good.len()))),
            _ => bytes.insert(position, b'\n'),
        }
        let (_folder, path) = file(&bytes);
        let report = quarantine(&path).unwrap();
        let store = Store::open(&path).unwrap();
        assert_eq!(store.len() as u64, report.rows_kept);
        let stored = fs::read(&path).unwrap();
        let untouched = |row: &String| bytes.split(|byte| *byte == b'\n').any(|line| line == row.as_bytes());
        for row in rows.iter().filter(|row| untouched(row)) {
            assert!(stored.split(|byte| *byte == b'\n').any(|line| line == row.as_bytes()), "round {round}");
        }
        let aside: u64 = report.moved.iter().map(|moved| moved.length).sum();
        assert_eq!(stored.len() as u64 + aside, bytes.len() as u64, "round {round}: every byte is somewhere");
    }
}
