//! Claims: one caller per cell, whoever dies.

use super::roles::Player;
use super::support::{encoded, file, id, neighbours, wait};
use ragsql::evidence::claim::ClaimOutcome;
use ragsql::evidence::store::Store;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn taken(outcome: &ClaimOutcome) -> bool {
    matches!(outcome, ClaimOutcome::Claimed(_))
}

#[test]
fn two_tasks_of_one_process_exclude_each_other() {
    let (_folder, path) = file("");
    let store = Arc::new(Store::open(&path).unwrap());
    let calls = Arc::new(AtomicUsize::new(0));
    wait(async {
        let tasks: Vec<_> = (0..40)
            .map(|_| {
                let (store, calls) = (Arc::clone(&store), Arc::clone(&calls));
                tokio::spawn(async move {
                    if let ClaimOutcome::Claimed(claim) = store.claim(&id("q1")).await.unwrap() {
                        calls.fetch_add(1, Ordering::SeqCst);
                        tokio::task::yield_now().await;
                        store.append(encoded("q1", "yes")).await.unwrap();
                        drop(claim);
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    });
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[test]
fn two_stores_on_one_file_exclude_each_other_cell_by_cell() {
    let (_folder, path) = file("");
    let (one, two) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    let first = wait(one.claim(&id("q1"))).unwrap();
    assert!(taken(&first) && taken(&wait(two.claim(&id("q2"))).unwrap()));
    let waiting = wait(async { tokio::time::timeout(Duration::from_millis(80), two.claim(&id("q1"))).await });
    assert!(waiting.is_err(), "the second store waits, and stops when its future is dropped");
    wait(one.append(encoded("q1", "yes"))).unwrap();
    drop(first);
    assert!(!taken(&wait(two.claim(&id("q1"))).unwrap()), "what the first store stored is done");
    assert!(!taken(&wait(one.claim(&id("q1"))).unwrap()));
}

#[test]
fn a_claim_given_back_without_a_row_can_be_taken_again() {
    let (_folder, path) = file("");
    let (one, two) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    for store in [&one, &two, &one, &one] {
        assert!(taken(&wait(store.claim(&id("q1"))).unwrap()));
    }
}

#[test]
fn a_killed_process_gives_its_cell_back() {
    let (_folder, path) = file("");
    let mut player = Player::start("hold", &path, 1, 0);
    assert_eq!(player.says().as_deref(), Some("claimed"));
    let store = Store::open(&path).unwrap();
    let held = wait(async { tokio::time::timeout(Duration::from_millis(80), store.claim(&id("q0"))).await });
    assert!(held.is_err());
    player.kill();
    assert!(taken(&wait(store.claim(&id("q0"))).unwrap()));
}

#[test]
fn what_is_written_in_the_claims_file_means_nothing() {
    let (_folder, path) = file("");
    let claims = path.with_file_name(".rows.jsonl.claims");
    fs::write(&claims, format!("{{\"pid\":{},\"started\":0}}", std::process::id())).unwrap();
    let store = Store::open(&path).unwrap();
    assert!(taken(&wait(store.claim(&id("q1"))).unwrap()));
}

#[test]
fn the_claims_folder_of_the_earlier_system_is_no_obstacle() {
    let (_folder, path) = file("");
    fs::create_dir(path.with_file_name(".rows.jsonl.claims")).unwrap();
    let (one, two) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    let held = wait(one.claim(&id("q1"))).unwrap();
    let waiting = wait(async { tokio::time::timeout(Duration::from_millis(80), two.claim(&id("q1"))).await });
    assert!(taken(&held) && waiting.is_err());
}

#[test]
fn many_cells_leave_one_claims_file() {
    let (_folder, path) = file("");
    let store = Store::open(&path).unwrap();
    let claims = wait(async {
        let mut claims = Vec::new();
        for cell in 0..500 {
            claims.push(store.claim(&id(&format!("q{cell}"))).await.unwrap());
        }
        claims
    });
    assert!(claims.iter().all(taken));
    assert_eq!(neighbours(&path), [".rows.jsonl.claims", ".rows.jsonl.lock", "rows.jsonl"]);
    assert_eq!(fs::metadata(path.with_file_name(".rows.jsonl.claims")).unwrap().len(), 0);
}
