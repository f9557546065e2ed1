//! `kill -9` at any moment: nothing acknowledged is lost, nothing is doubled, and what is torn is noticed.

use super::roles::{Player, answer};
use super::support::{file, id};
use ragsql::evidence::Error;
use ragsql::evidence::quarantine::quarantine;
use ragsql::evidence::store::Store;
use ragsql::json;
use std::collections::BTreeSet;
use std::path::Path;

/// Opens the file, after moving a torn tail aside when there is one.
fn open_after_a_kill(path: &Path) -> Store {
    match Store::open(path) {
        Err(Error::Torn { .. }) => {
            assert_eq!(quarantine(path).unwrap().moved.len(), 1);
            Store::open(path).unwrap()
        }
        store => store.unwrap(),
    }
}

#[test]
fn twenty_kills_lose_nothing_that_was_acknowledged() {
    let (_folder, path) = file("");
    let (cells, bytes) = (64, 3 << 20);
    let mut acknowledged = BTreeSet::new();
    for round in 0..20 {
        // The kill lands while a row, every other one of 3 MB, is being written.
        let mut player = Player::start("append", &path, cells, bytes);
        acknowledged.extend(player.works_on(round % 4));
        player.kill();
        acknowledged.extend(player.finishes());
        let store = open_after_a_kill(&path);
        for question in &acknowledged {
            assert!(store.place(&id(question)).is_some(), "{question} was acknowledged and is lost");
        }
    }
    Player::start("append", &path, cells, bytes).finishes();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.len(), cells);
    for cell in 0..cells {
        let line = store.line(&id(&format!("q{cell}"))).unwrap().unwrap();
        assert!(json::parse_strict(&line).unwrap()["evidence"]["answer"] == answer(cell, bytes), "cell {cell}");
    }
}

#[test]
fn a_killed_writer_does_not_stop_the_others() {
    let (_folder, path) = file("");
    let mut victim = Player::start("append", &path, 40, 1000);
    let mut survivor = Player::start("append", &path, 40, 1000);
    victim.works_on(1);
    victim.kill();
    survivor.finishes();
    let store = open_after_a_kill(&path);
    assert!(store.len() == 40 || path.with_file_name("rows.jsonl.quarantine").exists());
}
