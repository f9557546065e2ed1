//! Appending: whole lines, one write for many, several processes.

use super::roles::{Player, answer};
use super::support::{encoded, file, id, line, neighbours, row, wait};
use ragsql::evidence::Error;
use ragsql::evidence::encoded::EncodedRow;
use ragsql::evidence::store::Store;
use ragsql::json;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn the_first_row_creates_folder_and_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/rows.jsonl");
    let store = Store::open(&path).unwrap();
    assert!(!path.exists());
    let place = wait(store.append(encoded("q1", "yes"))).unwrap();
    assert_eq!((place.offset, place.line), (0, 1));
    assert_eq!(fs::read_to_string(&path).unwrap(), line("q1") + "\n");
    assert_eq!(neighbours(&path), [".rows.jsonl.claims", ".rows.jsonl.lock", "rows.jsonl"]);
    assert_eq!(fs::read(path.with_file_name(".rows.jsonl.lock")).unwrap(), [0]);
}

#[test]
fn an_unterminated_last_row_gets_its_line_end_before_the_next() {
    let (_folder, path) = file(line("q1"));
    let store = Store::open(&path).unwrap();
    let place = wait(store.append(encoded("q2", "yes"))).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}\n{}\n", line("q1"), line("q2")));
    assert_eq!((place.offset, place.line), (line("q1").len() as u64 + 1, 2));
    assert_eq!(Store::open(&path).unwrap().place(&id("q2")), Some(place));
}

#[test]
fn a_stored_row_is_not_stored_again_and_the_store_goes_on() {
    let (_folder, path) = file(line("q1") + "\n");
    let store = Store::open(&path).unwrap();
    let error = wait(store.append(encoded("q1", "other"))).unwrap_err();
    assert!(matches!(error, Error::AlreadyStored { line: 1, .. }), "{error}");
    wait(store.append(encoded("q2", "yes"))).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}\n{}\n", line("q1"), line("q2")));
}

#[test]
fn rows_that_wait_together_all_lie_where_they_were_told() {
    let (_folder, path) = file("");
    let store = Arc::new(Store::open(&path).unwrap());
    let places = wait(async {
        let tasks: Vec<_> = (0..200)
            .map(|cell| {
                let store = Arc::clone(&store);
                // Every cell is sent twice: one of the two is refused.
                tokio::spawn(async move { store.append(encoded(&format!("q{}", cell / 2), "yes")).await })
            })
            .collect();
        let mut places = Vec::new();
        for task in tasks {
            places.push(task.await.unwrap());
        }
        places
    });
    let refused = places.iter().filter(|place| matches!(place, Err(Error::AlreadyStored { .. }))).count();
    let stored: BTreeSet<u64> = places.iter().flatten().map(|place| place.line).collect();
    assert_eq!((refused, stored.len()), (100, 100));
    drop(store);
    let bytes = fs::read(&path).unwrap();
    for place in places.iter().flatten() {
        let (start, end) = (place.offset as usize, (place.offset + place.length) as usize);
        assert!(bytes[start..end].starts_with(b"{\"approach\"") && bytes[end] == b'\n');
    }
    assert_eq!(Store::open(&path).unwrap().len(), 100);
}

#[test]
fn what_others_append_is_seen_before_the_next_append() {
    let (_folder, path) = file("");
    let (one, two) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    wait(one.append(encoded("q1", "yes"))).unwrap();
    assert!(matches!(wait(two.append(encoded("q1", "no"))), Err(Error::AlreadyStored { .. })));
    let place = wait(two.append(encoded("q2", "yes"))).unwrap();
    assert_eq!(place.line, 2);
    one.refresh().unwrap();
    assert_eq!(one.place(&id("q2")), Some(place));
}

#[test]
fn damage_done_by_others_stops_appending_for_good() {
    let (_folder, path) = file(line("q1") + "\n");
    let store = Store::open(&path).unwrap();
    let damaged = format!("{}\n{{\"cut", line("q1"));
    fs::write(&path, &damaged).unwrap();
    assert!(matches!(wait(store.append(encoded("q2", "yes"))), Err(Error::Torn { line: 2, .. })));
    fs::write(&path, line("q1") + "\n").unwrap();
    let error = wait(store.append(encoded("q2", "yes"))).unwrap_err();
    assert!(matches!(&error, Error::Stopped { reason, .. } if reason.contains("torn")), "{error}");
    assert!(matches!(wait(store.claim(&id("q2"))), Err(Error::Stopped { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), line("q1") + "\n");
}

#[test]
fn a_file_that_disappears_is_not_silently_started_anew() {
    let (_folder, path) = file(line("q1") + "\n");
    let store = Store::open(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(matches!(wait(store.append(encoded("q2", "yes"))), Err(Error::Removed { .. })));
    assert!(!path.exists());
}

#[test]
fn rows_handed_over_are_stored_even_when_nobody_waits() {
    let (_folder, path) = file("");
    let store = Store::open(&path).unwrap();
    wait(async {
        let append = store.append(encoded("q1", "yes"));
        tokio::select! {
            biased;
            _ = append => {}
            () = std::future::ready(()) => {}
        }
    });
    drop(store);
    assert_eq!(fs::read_to_string(&path).unwrap(), line("q1") + "\n");
}

#[test]
fn rows_that_nobody_could_read_back_are_refused() {
    let nested = |levels: usize| {
        let deep = (0..levels).fold(json!(1), |inner, _| json!([inner]));
        let mut row = row("q1", "yes");
        row.evidence.token_usage.insert("extra".to_owned(), deep);
        EncodedRow::new(&row)
    };
    let deepest = (1..200).take_while(|levels| nested(*levels).is_ok()).last().unwrap();
    json::parse_strict(nested(deepest).unwrap().line()).unwrap();
    assert!(matches!(nested(deepest + 1), Err(Error::Unacceptable { reason, .. }) if reason.contains("nested")));
    let mut row = row("q1", "yes");
    row.row_id.clear();
    assert!(matches!(EncodedRow::new(&row), Err(Error::Unacceptable { .. })));
    let infinite: Value = serde_json::from_str("1e999").unwrap();
    row.row_id = id("q1");
    row.evidence.token_usage.insert("rate".to_owned(), infinite);
    assert!(matches!(EncodedRow::new(&row), Err(Error::Unacceptable { reason, .. }) if reason.contains("not finite")));
    assert!(EncodedRow::from_line(format!("{}\n", line("q1"))).is_err());
    assert!(EncodedRow::from_line("{\"row_id\":\"x\",\"a\":{\"b\":1,\"b\":2}}".to_owned()).is_err());
    assert_eq!(EncodedRow::from_line(line("q1")).unwrap(), encoded("q1", "yes"));
}

#[test]
fn big_integers_and_long_floats_keep_every_digit() {
    let mut row = row("q1", "yes");
    let usage: Value = serde_json::from_str(
        "{\"id\":9007199254740993,\"seed\":18446744073709551615,\"huge\":123456789012345678901234567890}",
    )
    .unwrap();
    row.evidence.token_usage = super::support::object(usage);
    let mut state = 1_u64;
    for number in 0..2000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        row.evidence.token_usage.insert(format!("f{number}"), json!((state >> 11) as f64 / (1_u64 << 53) as f64));
        row.evidence.token_usage.insert(format!("k{number}"), json!(f64::from(number) / 7.0));
    }
    let first = EncodedRow::new(&row).unwrap();
    assert!(first.line().contains("\"huge\":123456789012345678901234567890,\"id\":9007199254740993,"));
    let again = json::canonical(&json::parse_strict(first.line()).unwrap()).unwrap();
    assert_eq!(again, first.line());
}

#[test]
fn an_append_waits_for_whoever_holds_the_data_lock() {
    let (_folder, path) = file("");
    let store = Store::open(&path).unwrap();
    let lock = fs::File::open(path.with_file_name(".rows.jsonl.lock")).unwrap();
    lock.lock().unwrap();
    wait(async {
        let mut append = std::pin::pin!(store.append(encoded("q1", "yes")));
        assert!(tokio::time::timeout(Duration::from_millis(60), &mut append).await.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"");
        lock.unlock().unwrap();
        append.await.unwrap();
    });
    assert_eq!(fs::read_to_string(&path).unwrap(), line("q1") + "\n");
}

#[test]
fn four_processes_give_one_whole_row_per_cell() {
    let (_folder, path) = file("");
    let (cells, bytes) = (50, 64 << 10);
    let mut players: Vec<_> = (0..4).map(|_| Player::start("append_equal", &path, cells, bytes)).collect();
    let said: Vec<String> = players.iter_mut().flat_map(Player::says_at_last).collect();
    let called: Vec<_> = said.iter().filter_map(|text| text.strip_prefix("begin ")).collect();
    assert_eq!(called.len(), cells, "each cell is called once");
    assert_eq!(called.iter().collect::<BTreeSet<_>>().len(), cells);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.len(), cells);
    for cell in 0..cells {
        let stored = store.line(&id(&format!("q{cell}"))).unwrap().unwrap();
        let value = json::parse_strict(&stored).unwrap();
        assert_eq!(value["evidence"]["answer"], answer(2 * cell + 1, bytes));
    }
}
