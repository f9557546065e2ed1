//! A full disk: a clear refusal, no half line, and a file that goes on once there is room.

use super::roles::Player;
use super::support::{encoded, file, wait};
use ragsql::error::Failure;
use ragsql::evidence::Error;
use ragsql::evidence::store::Store;
use std::fs;
use std::io::{self, ErrorKind};
use std::sync::Arc;

#[test]
fn a_full_disk_leaves_whole_rows_and_stops_the_run() {
    let (_folder, path) = file("");
    let row_bytes = encoded("q0", &"x".repeat(1000)).line().len() + 1;
    // Room for three rows and a part of the fourth.
    let said = Player::start("fill", &path, 6, row_bytes * 3 + row_bytes / 2).says_at_last();
    assert_eq!(said[..3], ["stored", "stored", "stored"]);
    assert!(said[3].starts_with("cannot append to") && said[3].contains("rows.jsonl"), "{}", said[3]);
    for later in &said[4..] {
        assert!(later.contains("nothing is appended any more"), "{later}");
    }
    assert_eq!(said.len(), 6);
    let before = fs::read(&path).unwrap();
    assert_eq!((before.len(), before.last()), (row_bytes * 3, Some(&b'\n')));
    let store = Store::open(&path).unwrap();
    assert_eq!(store.len(), 3);
    wait(store.append(encoded("q3", "yes"))).unwrap();
    assert!(fs::read(&path).unwrap().starts_with(&before));
}

#[test]
fn a_full_disk_is_a_failure_of_the_machine_with_a_hint() {
    let source = Arc::new(io::Error::from(ErrorKind::StorageFull));
    let failure = Failure::from(Error::Io { action: "append to", path: "rows.jsonl".into(), source });
    assert_eq!(failure.kind.exit_code(), 3);
    assert!(failure.hints[0].starts_with("free some space"));
}
