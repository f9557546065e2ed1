//! The progress lines.

use ragsql::evidence::row::Status;
use ragsql::runner::{CellName, Event, ProgressState};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn cell(number: usize) -> Arc<CellName> {
    Arc::new(CellName {
        row_id: format!("row-{number}"),
        dataset: "graph_native".to_owned(),
        model: if number.is_multiple_of(2) { "hybrid-rag" } else { "rag" }.to_owned(),
        question: format!("q{number}"),
    })
}

fn finished(number: usize, status: Status) -> Event {
    Event::CellFinished { cell: cell(number), status, latency_ms: 5, attempts: 1 }
}

fn changed(host: &str, from: usize, to: usize, reason: &str) -> Event {
    let service = format!("http://{host}:9/v1/chat/completions");
    Event::LimitChanged { service, from, to, reason: reason.to_owned() }
}

#[test]
fn counts_rate_time_left_and_failures_are_shown() {
    let start = Instant::now();
    let mut state = ProgressState::new(380, 100, start);
    assert_eq!(state.lines(start, 200), ["cells 100/380 (26 %) · 0 failed, 0 retried · in flight 0"]);
    for number in 0..14 {
        state.apply(&Event::CellStarted { cell: cell(number) }, start);
    }
    state.apply(&Event::CellRetry { cell: cell(1), attempt: 2, wait_ms: 9, reason: "ReadTimeout" }, start);
    state.apply(&Event::CellRetry { cell: cell(1), attempt: 3, wait_ms: 9, reason: "ReadTimeout" }, start);
    state.apply(&changed("busy", 16, 8, "429"), start);
    for number in 2..14 {
        let status = if number == 2 { Status::Timeout } else { Status::Ok };
        state.apply(&finished(number, status), start);
    }
    let now = start + Duration::from_secs(2);
    assert_eq!(
        state.lines(now, 200),
        [
            "cells 112/380 (29 %) · 6.0/s · about 44 s left · 1 failed, 1 retried · in flight 2 (limit of busy:9 cut from 16: 429)",
            "  graph_native  hybrid-rag  q0     2 s",
            "  graph_native  rag         q1     2 s  retry 2",
        ]
    );
    // Another service says nothing about this one.
    state.apply(&changed("calm", 4, 2, "503"), now);
    state.apply(&changed("calm", 3, 4, "recovering"), now);
    state.apply(&changed("busy", 8, 9, "recovering"), now);
    assert!(state.lines(now, 200)[0].ends_with("in flight 2 (limit of busy:9 cut from 16: 429)"));
    state.apply(&changed("calm", 4, 2, "503"), now);
    let both = "(limit of busy:9 cut from 16: 429) (limit of calm:9 cut from 4: 503)";
    assert!(state.lines(now, 200)[0].ends_with(both), "{}", state.lines(now, 200)[0]);
    state.apply(&changed("calm", 3, 4, "recovering"), now);
    state.apply(&changed("busy", 15, 16, "recovering"), now);
    assert!(state.lines(now, 200)[0].ends_with("in flight 2"));
}

#[test]
fn at_most_eight_running_cells_and_no_line_beyond_the_width() {
    let start = Instant::now();
    let mut state = ProgressState::new(40, 0, start);
    for number in 0..8 {
        state.apply(&Event::CellStarted { cell: cell(number) }, start);
    }
    assert_eq!(state.lines(start, 80).len(), 9);
    for number in 8..32 {
        state.apply(&Event::CellStarted { cell: cell(number) }, start);
    }
    let lines = state.lines(start, 30);
    assert_eq!(lines.len(), 9);
    assert_eq!(lines[8], "  ... 25 more");
    assert!(lines.iter().all(|line| line.chars().count() <= 30));
}

#[test]
fn reused_and_abandoned_cells_leave_the_list() {
    let start = Instant::now();
    let mut state = ProgressState::new(2, 0, start);
    state.apply(&Event::CellReused { cell: cell(0) }, start);
    state.apply(&Event::CellStarted { cell: cell(1) }, start);
    state.apply(&Event::CellAbandoned { cell: cell(1) }, start);
    assert_eq!(state.lines(start, 80), ["cells 1/2 (50 %) · 0 failed, 0 retried · in flight 0"]);
}
