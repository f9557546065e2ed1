//! The events log.

use super::support::file;
use ragsql::evidence::events::{Event, EventLog, rfc3339};
use ragsql::evidence::row::Status;
use std::fs;
use std::time::UNIX_EPOCH;

fn event(attempt: u32) -> Event {
    Event {
        row_id: "a1".to_owned(),
        attempt,
        started_at: rfc3339(UNIX_EPOCH),
        duration_ms: 12,
        outcome: Status::Timeout,
        error_type: Some("ReadTimeout".to_owned()),
        error_message: Some("no\nanswer".to_owned()),
        retry_after_s: Some(1.5),
        waited_ms: 0,
    }
}

#[test]
fn each_attempt_is_one_line_that_is_there_at_once() {
    let (_folder, path) = file("");
    let log = EventLog::beside(&path).unwrap();
    assert!(log.record(&event(1)).is_none());
    assert_eq!(log.path(), path.with_file_name("rows.events.jsonl"));
    assert_eq!(
        fs::read_to_string(log.path()).unwrap(),
        "{\"row_id\":\"a1\",\"attempt\":1,\"started_at\":\"1970-01-01T00:00:00.000Z\",\"duration_ms\":12,\
         \"outcome\":\"timeout\",\"error_type\":\"ReadTimeout\",\"error_message\":\"no\\nanswer\",\
         \"retry_after_s\":1.5,\"waited_ms\":0}\n"
    );
    EventLog::beside(&path).unwrap().record(&event(2));
    assert_eq!(fs::read_to_string(log.path()).unwrap().lines().count(), 2);
}

#[test]
fn a_log_that_cannot_be_written_says_so_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    std::os::unix::fs::symlink("/dev/full", path.with_file_name("rows.events.jsonl")).unwrap();
    let log = EventLog::beside(&path).unwrap();
    assert!(log.record(&event(1)).unwrap().to_string().starts_with("cannot append to"));
    assert!(log.record(&event(2)).is_none());
}
