//! `kill -9` at any moment of a run, start and artifacts included, then the same command again.

use super::support::{Project, asked, gateway, key_of, runtime, told, whole_lines};
use std::collections::HashSet;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Instant;

const KILLS_N: usize = 50;
/// Rounds side by side, so that the case takes half as long.
const LANES_N: usize = 2;

#[test]
fn runs_killed_at_fifty_random_moments_complete_with_no_row_lost_doubled_or_torn() {
    std::thread::scope(|scope| {
        for lane in 0..LANES_N {
            scope.spawn(move || kill_and_resume(lane));
        }
    });
}

fn kill_and_resume(lane: usize) {
    let project = Project::create(10);
    let runtime = runtime();
    let gateway = runtime.block_on(gateway(20));
    let start = Instant::now();
    let output = project.run("whole", &gateway).output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let whole_run = start.elapsed();
    for round in 0..KILLS_N / LANES_N {
        let run_id = format!("killed-{round}");
        let moment = whole_run.mul_f64(share());
        let mut child = project.run(&run_id, &gateway).spawn().unwrap();
        std::thread::sleep(moment);
        child.kill().unwrap();
        child.wait_with_output().unwrap();
        resume(&project, &gateway, &run_id, &format!("lane {lane}, round {round}, killed after {moment:?}"));
    }
}

/// Goes on until the run is complete; what was stored before stays as it is and is not called again.
fn resume(project: &Project, gateway: &crate::stub::Stub, run_id: &str, moment: &str) {
    let before = whole_lines(&project.evidence(run_id));
    let asked_before = gateway.count();
    let mut output = project.run(run_id, gateway).output().unwrap();
    if String::from_utf8_lossy(&output.stderr).contains("moves the torn bytes aside") {
        let moved = project.quarantine(run_id);
        assert!(moved.status.success(), "{moment}: {}", told(&moved));
        output = project.run(run_id, gateway).output().unwrap();
    }
    let told = format!("{moment}: {}", told(&output));
    assert!(output.status.success(), "{told}");
    project.assert_complete(run_id, &told);
    assert!(whole_lines(&project.evidence(run_id)).starts_with(&before), "a stored row changed: {told}");
    let stored: HashSet<_> = before.lines().map(|line| key_of(line, &told)).collect();
    let mut called = HashSet::new();
    for key in gateway.seen()[asked_before..].iter().filter_map(asked) {
        assert!(!stored.contains(&key), "{key:?} was stored and is called again: {told}");
        assert!(called.insert(key), "a cell is called twice: {told}");
    }
}

/// A random share of 1.
fn share() -> f64 {
    RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64
}
