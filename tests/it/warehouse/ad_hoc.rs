//! SQL that a person types.

use super::rows::{lines, row};
use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{AdHoc, Error, Limits, Room, Value, sync};
use std::path::PathBuf;

struct Project {
    folder: tempfile::TempDir,
    catalogue: Catalogue,
}

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let rows = [row("q1", "heron", 0.5.into()), row("q2", "heron", 0.25.into())];
        std::fs::write(folder.path().join("run.jsonl"), lines(&rows)).unwrap();
        Self { folder, catalogue: Catalogue::embedded(None).unwrap() }
    }

    fn evidence(&self) -> Vec<PathBuf> {
        vec![self.folder.path().join("run.jsonl")]
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("warehouse.duckdb")
    }

    fn open(&self) -> AdHoc<'_> {
        AdHoc::open(&self.database(), &self.evidence(), &self.catalogue).unwrap()
    }
}

const COUNT: &str = "select count(*) as n from cells";

#[test]
fn every_way_out_is_refused_with_a_reason() {
    let project = Project::new();
    let open = project.open();
    let target = project.folder.path().join("out.csv").display().to_string();
    let other = project.folder.path().join("other.db").display().to_string();
    let cases = [
        (format!("copy (select 1) to '{target}'"), "can read the warehouse only"),
        ("delete from store.cell".to_owned(), "can only be read"),
        ("delete from cells".to_owned(), ""),
        (format!("attach '{other}'"), "can read the warehouse only"),
        ("attach ':memory:' as aside".to_owned(), ""),
        ("select * from read_text('/etc/hostname')".to_owned(), "can read the warehouse only"),
        ("select * from glob('/etc/*')".to_owned(), "can read the warehouse only"),
        ("select * from '/etc/hostname'".to_owned(), ""),
        ("set enable_external_access = true".to_owned(), "locked"),
        ("set memory_limit = '8GB'".to_owned(), "locked"),
        ("install httpfs".to_owned(), "can read the warehouse only"),
        ("load '/tmp/x.duckdb_extension'".to_owned(), "can read the warehouse only"),
        ("create table t as select 1".to_owned(), "can only be read"),
        ("drop view cells".to_owned(), ""),
        ("update store.cell set status = 'ok'".to_owned(), "can only be read"),
        ("select 1; delete from store.cell".to_owned(), "can only be read"),
        (format!("export database '{other}'"), "can read the warehouse only"),
        ("select $x".to_owned(), "parameter"),
        ("".to_owned(), "empty"),
        ("-- nothing".to_owned(), ""),
        (";".to_owned(), ""),
    ];
    for (statement, reason) in cases {
        match open.answer(&statement, Limits::default(), Room::ENDLESS) {
            Err(Error::AdHoc { reason: found, .. }) => {
                assert!(found.contains(reason) && !found.trim().is_empty(), "{statement}: {found}");
            }
            other => panic!("{statement} gave {other:?}"),
        }
    }
    assert!(!std::path::Path::new(&target).exists() && !std::path::Path::new(&other).exists());
    assert_eq!(
        open.answer(COUNT, Limits::default(), Room::ENDLESS).unwrap().rows[0].value("n").unwrap(),
        &Value::Integer(2)
    );
}

#[test]
fn a_misspelt_name_comes_with_its_place_and_the_nearest_one() {
    let project = Project::new();
    let open = project.open();
    for (statement, place, name) in [
        ("select statu from cells", "line 1, column 8", "status"),
        ("select 1\nfrom cels", "line 2, column 6", "cells"),
    ] {
        let Err(Error::AdHoc { reason, hint, .. }) = open.answer(statement, Limits::default(), Room::ENDLESS) else {
            panic!()
        };
        assert!(reason.contains(place), "{reason}");
        assert!(hint.unwrap().contains(name));
    }
}

#[test]
fn an_answer_is_cut_at_the_limit_and_a_long_one_is_stopped() {
    let project = Project::new();
    let open = project.open();
    let limits = Limits { rows_max: Some(5000), timeout_s: Some(60) };
    let table = open.answer("select range as n from range(1000000000)", limits, Room::ENDLESS).unwrap();
    assert!(table.truncated && table.rows.len() == 5000);
    let limits = Limits { rows_max: Some(10), timeout_s: Some(1) };
    let statement = "select sum(hash(left_side.range + right_side.range)) as total \
        from range(1000000) as left_side cross join range(1000000) as right_side";
    let message = open.answer(statement, limits, Room::ENDLESS).unwrap_err().to_string();
    assert_eq!(message, "the statement took longer than 1 s and was stopped");
}

#[test]
fn a_stale_database_is_brought_up_to_date_before_it_answers() {
    let project = Project::new();
    assert!(project.open().notice.is_none());
    let rows = [row("q1", "heron", 0.5.into()), row("q2", "heron", 0.25.into()), row("q3", "heron", 1.into())];
    std::fs::write(&project.evidence()[0], lines(&rows)).unwrap();
    let table = project.open().answer(COUNT, Limits::default(), Room::ENDLESS).unwrap();
    assert_eq!(table.rows[0].value("n").unwrap(), &Value::Integer(3));
}

#[test]
fn two_readers_can_ask_at_the_same_time() {
    let project = Project::new();
    let (one, two) = (project.open(), project.open());
    assert!(one.notice.is_none() && two.notice.is_none());
    assert_eq!(one.answer(COUNT, Limits::default(), Room::ENDLESS).unwrap().rows.len(), 1);
    assert_eq!(two.answer(COUNT, Limits::default(), Room::ENDLESS).unwrap().rows.len(), 1);
}

#[test]
fn a_damaged_database_does_not_stop_the_answer() {
    let project = Project::new();
    std::fs::write(project.database(), "not a database at all, but longer than a header".repeat(500)).unwrap();
    let open = project.open();
    assert!(open.notice.as_ref().unwrap().contains("is not a ragsql warehouse"), "{:?}", open.notice);
    let table = open.answer(COUNT, Limits::default(), Room::ENDLESS).unwrap();
    assert_eq!(table.rows[0].value("n").unwrap(), &Value::Integer(2));
}

#[test]
fn sources_and_whole_rows_can_be_asked_for() {
    let project = Project::new();
    let open = project.open();
    let statement = "select position, title, snippet, score from sources order by row_id limit 1";
    let table = open.answer(statement, Limits::default(), Room::ENDLESS).unwrap();
    let values: Vec<String> = table.rows[0].values.iter().map(ToString::to_string).collect();
    assert_eq!(values, ["1", "timetable", "Ferries leave at noon.", "0.5"]);
    let statement = "select evidence ->> '$.question.query' as query from evidence limit 1";
    let table = open.answer(statement, Limits::default(), Room::ENDLESS).unwrap();
    assert_eq!(table.rows[0].text("query").unwrap(), "When does the ferry leave?");
}

#[test]
fn a_database_that_another_connection_writes_is_busy() {
    let project = Project::new();
    sync(&project.database(), &project.evidence(), &project.catalogue).unwrap();
    let _holder = hold(&project.database());
    let open = project.open();
    assert!(open.notice.as_ref().unwrap().contains("in use by another process"), "{:?}", open.notice);
    let table = open.answer(COUNT, Limits::default(), Room::ENDLESS).unwrap();
    assert_eq!(table.rows[0].value("n").unwrap(), &Value::Integer(2));
    let busy = sync(&project.database(), &project.evidence(), &project.catalogue).unwrap_err();
    assert!(matches!(busy, Error::Busy { .. }), "{busy}");
}

/// Locks the database as a writing process does. The lock belongs to the open file, not to this process, so that DuckDB
/// meets it even though it runs in the same process.
fn hold(database: &std::path::Path) -> std::fs::File {
    use std::os::fd::AsRawFd;
    let file = std::fs::OpenOptions::new().read(true).write(true).open(database).unwrap();
    // SAFETY: all fields of the structure are integers, for which zero is valid.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = libc::F_WRLCK as libc::c_short;
    lock.l_whence = libc::SEEK_SET as libc::c_short;
    // SAFETY: the descriptor is open and the structure outlives the call.
    let outcome = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &lock) };
    assert_eq!(outcome, 0, "the database can be locked");
    file
}
