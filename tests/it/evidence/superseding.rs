//! Failed rows that run again.

use super::support::{encoded, failed_row, file, id, line, neighbours, wait};
use ragsql::evidence::encoded::EncodedRow;
use ragsql::evidence::row::Status;
use ragsql::evidence::store::Store;
use std::fs;

fn failed(question: &str, status: Status) -> String {
    EncodedRow::new(&failed_row(question, status)).unwrap().line().to_owned()
}

#[test]
fn failed_rows_move_to_the_side_file_and_the_others_keep_their_bytes() {
    let (error, timeout) = (failed("q2", Status::Error), failed("q4", Status::Timeout));
    let (_folder, path) = file(format!("{}\r\n{error}\n\n{}\n{timeout}", line("q1"), line("q3")));
    let store = Store::open(&path).unwrap();
    let wanted = ["q4", "q2", "q1", "q9", "q2"].map(id);
    assert_eq!(store.supersede(&wanted).unwrap(), 2);
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}\r\n\n{}\n", line("q1"), line("q3")));
    let side = fs::read_to_string(path.with_file_name("rows.superseded.jsonl")).unwrap();
    assert_eq!(side, format!("{timeout}\n{error}\n{error}\n"), "repeats are harmless");
    assert_eq!((store.len(), store.place(&id("q2")), store.line(&id("q3")).unwrap()), (2, None, Some(line("q3"))));
    let place = wait(store.append(encoded("q2", "yes"))).unwrap();
    assert_eq!((place.line, store.len()), (4, 3));
    assert!(!neighbours(&path).contains(&".rows.jsonl.rewrite".to_owned()));
}

#[test]
fn a_row_that_is_ok_by_now_is_left_alone() {
    let (_folder, path) = file(failed("q1", Status::Error) + "\n");
    let (one, two) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    assert_eq!(one.supersede(&[id("q1")]).unwrap(), 1);
    wait(one.append(encoded("q1", "yes"))).unwrap();
    assert_eq!(two.supersede(&[id("q1")]).unwrap(), 0, "the second store sees the new file");
    assert_eq!(fs::read_to_string(&path).unwrap(), line("q1") + "\n");
    assert_eq!(two.line(&id("q1")).unwrap(), Some(line("q1")));
}

#[test]
fn what_a_crash_left_behind_does_no_harm() {
    let (_folder, path) = file(failed("q1", Status::Error) + "\n");
    fs::write(path.with_file_name("rows.superseded.jsonl"), "{\"cut").unwrap();
    fs::write(path.with_file_name(".rows.jsonl.rewrite"), "half a copy that is longer than the new one will be")
        .unwrap();
    assert_eq!(Store::open(&path).unwrap().supersede(&[id("q1")]).unwrap(), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), "");
    let side = fs::read_to_string(path.with_file_name("rows.superseded.jsonl")).unwrap();
    assert_eq!(side, format!("{{\"cut\n{}\n", failed("q1", Status::Error)));
}

#[test]
fn a_linked_evidence_file_stays_a_link() {
    let (_folder, path) = file(failed("q1", Status::Error) + "\n");
    let link = path.with_file_name("link.jsonl");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(Store::open(&link).unwrap().supersede(&[id("q1")]).unwrap(), 1);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), b"");
}
