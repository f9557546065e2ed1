//! What a file must be to be read, and what reading leaves alone.

use super::support::{encoded, file, id, line, neighbours, wait};
use ragsql::error::Failure;
use ragsql::evidence::Error;
use ragsql::evidence::reader;
use ragsql::evidence::store::Store;
use ragsql::json;
use std::fs;
use std::path::{Path, PathBuf};

fn refusal(bytes: impl AsRef<[u8]>) -> Error {
    let (_folder, path) = file(bytes);
    Store::open(path).unwrap_err()
}

#[test]
fn a_missing_file_has_no_rows_and_reading_it_creates_nothing() {
    let (_folder, path) = file("");
    fs::remove_file(&path).unwrap();
    assert!(Store::open_read_only(&path).unwrap().is_empty());
    assert_eq!(neighbours(&path), [""; 0]);
}

#[test]
fn a_reader_creates_no_lock_file() {
    let (_folder, path) = file(line("q1") + "\n");
    let store = Store::open_read_only(&path).unwrap();
    assert_eq!(store.line(&id("q1")).unwrap(), Some(line("q1")));
    assert_eq!(neighbours(&path), ["rows.jsonl"]);
    assert!(matches!(wait(store.append(encoded("q2", ""))), Err(Error::ReadOnly { .. })));
    assert!(matches!(store.supersede(&[id("q1")]), Err(Error::ReadOnly { .. })));
}

#[test]
fn carriage_returns_blank_lines_and_a_missing_line_end_are_no_faults() {
    let text = format!("\u{a0}\r\n{}\r\n\n \t\n{}", line("q1"), line("q2"));
    let (_folder, path) = file(&text);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.len(), 2);
    assert_eq!(store.line(&id("q1")).unwrap(), Some(line("q1")));
    assert_eq!(store.place(&id("q2")).unwrap().line, 5);
    let rows: Vec<_> = reader::rows(&path, 0).unwrap().map(Result::unwrap).collect();
    let found: Vec<_> = rows.iter().map(|row| (row.line_number, row.line_end_bytes)).collect();
    assert_eq!(found, [(2, 2), (5, 0)]);
    assert_eq!(rows[1].bytes, line("q2").as_bytes());
    assert_eq!(rows[1].end(), text.len() as u64);
    let again: Vec<_> = reader::rows(&path, rows[0].end()).unwrap().map(Result::unwrap).collect();
    assert_eq!((again.len(), again[0].offset), (1, rows[1].offset));
}

#[test]
fn line_separators_of_other_systems_do_not_split_a_row() {
    let answer = "one\u{2028}two\u{2029}three\u{85}four\u{b}five\u{1c}six";
    let row = encoded("q1", answer);
    let (_folder, path) = file(format!("{}\n", row.line()));
    let store = Store::open(path).unwrap();
    assert_eq!(store.line(&id("q1")).unwrap().as_deref(), Some(row.line()));
}

#[test]
fn a_torn_last_line_is_refused_with_line_byte_and_count() {
    let whole = format!("{}\n{}\n", line("q1"), line("q2"));
    for cut in [1, 20, 400] {
        let error = refusal(format!("{whole}{}", &line("q3")[..cut]));
        let Error::Torn { line, offset, whole_rows, .. } = error else { panic!("{error}") };
        assert_eq!((line, offset, whole_rows), (3, whole.len() as u64, 2));
    }
    let error = refusal(format!("{whole}{{\"run"));
    let text = error.to_string();
    assert!(text.ends_with(&format!(
        "rows.jsonl: line 3 is torn at byte {} (no end of line)\n  2 rows before it are whole",
        whole.len()
    )));
    let failure = Failure::from(error);
    assert_eq!(failure.kind.exit_code(), 2);
    assert!(failure.hints[0].contains("ragsql doctor --quarantine"));
}

#[test]
fn a_cut_inside_a_character_is_a_torn_line() {
    let text = format!("{}\n", line("q1")).into_bytes();
    let mut torn = text.clone();
    torn.extend_from_slice(b"{\"answer\":\"caf\xc3");
    assert!(matches!(refusal(torn), Error::Torn { line: 2, .. }));
}

#[test]
fn damage_in_the_middle_is_not_a_torn_tail() {
    let first = format!("{}\n", line("q1"));
    for (bytes, reason) in [
        ("@@@@", "expected value"),
        ("[1]", "not an object"),
        ("{\"row_id\":\"\"}", "no non-empty text `row_id`"),
        ("{\"row_id\":\"x\"} {}", "trailing characters"),
        ("{\"row_id\":\"x\",\"a\":NaN}", "expected value"),
        ("{\"row_id\":\"x\",\"row_id\":\"y\"}", "the key `row_id` appears twice"),
        ("\0\0\0\0", "expected value"),
    ] {
        let error = refusal(format!("{first}{bytes}\n{}\n", line("q2")));
        let Error::Damaged { line, offset, reason: found, .. } = error else { panic!("{bytes}: {error}") };
        assert_eq!((line, offset), (2, first.len() as u64), "{bytes}");
        assert!(found.contains(reason), "{bytes}: {found}");
    }
    let mut latin = first.clone().into_bytes();
    latin.extend_from_slice(b"{\"row_id\":\"caf\xe9\"}\n");
    assert!(matches!(refusal(latin), Error::Damaged { line: 2, reason, .. } if reason.contains("UTF-8")));
}

#[test]
fn a_byte_order_mark_is_refused_by_name() {
    let error = refusal(format!("\u{feff}{}\n", line("q1")));
    assert!(matches!(error, Error::Damaged { line: 1, offset: 0, reason, .. } if reason.contains("byte order mark")));
}

#[test]
fn a_repeated_row_is_refused_naming_both_lines() {
    let error = refusal(format!("{}\n{}\n\n{}\n", line("q1"), line("q2"), line("q1")));
    let Error::Duplicate { first_line, line, row_id, .. } = error else { panic!("{error}") };
    assert_eq!((first_line, line, row_id), (1, 4, id("q1")));
}

#[test]
fn a_file_of_many_blocks_is_indexed_in_order_and_its_first_fault_is_the_one_reported() {
    let mut text = String::new();
    let mut starts = Vec::new();
    for cell in 0..400 {
        starts.push(text.len());
        // One row of 20 MB is larger than a block, and than some readers take.
        let size = if cell == 123 { 20_000_000 } else { 30_000 };
        text.push_str(encoded(&format!("q{cell}"), &"é".repeat(size / 2)).line());
        text.push('\n');
    }
    let (_folder, path) = file(&text);
    let store = Store::open_read_only(&path).unwrap();
    assert_eq!(store.len(), 400);
    for (cell, start) in starts.iter().enumerate() {
        let place = store.place(&id(&format!("q{cell}"))).unwrap();
        assert_eq!((place.line, place.offset), (cell as u64 + 1, *start as u64));
    }
    let mut bytes = text.into_bytes();
    for cell in [390, 250, 260] {
        bytes[starts[cell]] = b'@';
    }
    assert!(matches!(refusal(&bytes), Error::Damaged { line: 251, offset, .. } if offset == starts[250] as u64));
}

#[test]
fn a_row_nested_three_hundred_levels_does_not_stop_the_others_from_being_read() {
    let deep = format!("{{\"row_id\":\"deep\",\"usage\":{}{}}}", "[".repeat(300), "]".repeat(300));
    let (_folder, path) = file(format!("{}\n{deep}\n{}\n", line("q1"), line("q2")));
    assert_eq!(Store::open_read_only(path).unwrap().len(), 3);
}

#[test]
fn every_stored_row_is_its_own_canonical_text() {
    let shared = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/rag-showcase/results"));
    let own = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/evidence"));
    let folder = if shared.is_dir() { shared } else { own };
    println!("evidence files from {}", if folder == own { "tests/fixtures/evidence" } else { "../shared" });
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with("evidence.jsonl"));
    if folder != own {
        files.push(own.join("harbour-evidence.jsonl"));
    }
    let mut rows = 0;
    for path in &files {
        let store = Store::open_read_only(path).unwrap();
        for raw in reader::rows(path, 0).unwrap() {
            let text = String::from_utf8(raw.unwrap().bytes).unwrap();
            let value = json::parse_strict(&text).unwrap();
            assert_eq!(json::canonical(&value).unwrap(), text);
            assert_eq!(store.line(value["row_id"].as_str().unwrap()).unwrap(), Some(text));
            rows += 1;
        }
    }
    assert!(rows >= if folder == own { 3 } else { 308 }, "{rows} rows in {} files", files.len());
}
