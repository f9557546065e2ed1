//! Many cells: order, repeats, claims, a store that fails, and stopping.

use super::support::{MemorySink, cells, config, ran};
use crate::stub::{Reply, Stub};
use ragsql::error::{Failure, Kind};
use ragsql::evidence::row::row_id;
use ragsql::experiment::prices::{Price, Prices};
use ragsql::runner::spending::{Overspent, Spending};
use ragsql::runner::{CellState, Event, RunConfig, RunError, run};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn one_worker_calls_in_plan_order() {
    let stub = Stub::start(|_| Reply::answer("ok")).await;
    let ran = ran(&config(&stub, 0, 1), &cells(3, &["heron", "ibis"])).await;
    let order: Vec<String> = stub
        .seen()
        .iter()
        .map(|seen| format!("{} {}", seen.body["messages"][0]["content"].as_str().unwrap(), seen.model()))
        .collect();
    assert_eq!(order[..3], ["What is 0? heron", "What is 0? ibis", "What is 1? heron"]);
    assert_eq!((ran.outcome.counts.ok, ran.rows.len()), (6, 6));
    assert!(ran.outcome.failure.is_none() && !ran.outcome.cancelled);
}

#[tokio::test]
async fn concurrency_bounds_what_is_in_flight() {
    let stub = Stub::start(|_| Reply::answer("ok").after_ms(5)).await;
    let ran = ran(&config(&stub, 0, 4), &cells(24, &["heron"])).await;
    assert_eq!(ran.outcome.counts.ok, 24);
    assert_eq!(stub.seen().iter().map(|seen| seen.in_flight).max(), Some(4));
}

#[tokio::test]
async fn a_repeated_alias_is_called_once_and_counted_twice() {
    let stub = Stub::start(|_| Reply::answer("ok")).await;
    let ran = ran(&config(&stub, 0, 3), &cells(2, &["heron", "ibis", "heron"])).await;
    assert_eq!((stub.count(), ran.rows.len(), ran.outcome.counts.ok), (4, 4, 6));
    assert_eq!(ran.outcome.states, [CellState::Ok; 6]);
}

#[tokio::test]
async fn failed_cells_are_results_and_do_not_stop_the_others() {
    let stub = Stub::start(|seen| if seen.model() == "heron" { Reply::status(500) } else { Reply::answer("ok") }).await;
    let ran = ran(&config(&stub, 0, 2), &cells(5, &["heron", "ibis"])).await;
    assert_eq!((ran.outcome.counts.ok, ran.outcome.counts.error), (5, 5));
    assert!(ran.outcome.failure.is_none());
}

#[tokio::test]
async fn a_cell_that_another_process_stored_is_not_called() {
    let stub = Stub::start(|_| Reply::answer("ok")).await;
    let stored_by_others = HashSet::from([row_id("run", "ds", "q1", "heron")]);
    let sink = MemorySink { stored_by_others, ..MemorySink::default() };
    let outcome = run(&config(&stub, 0, 1), &cells(3, &["heron"]), &sink, &|_| {}, &CancellationToken::new()).await;
    assert_eq!(outcome.states, [CellState::Ok, CellState::Reused, CellState::Ok]);
    assert_eq!((stub.count(), outcome.counts.reused), (2, 1));
}

#[tokio::test]
async fn a_failed_append_stops_the_run_and_cells_in_flight_still_finish() {
    let stub = Stub::start(|_| Reply::answer("ok").after_ms(2)).await;
    let sink = MemorySink { room_for: Some(5), ..MemorySink::default() };
    let events = Mutex::new(Vec::new());
    let told = |event| events.lock().unwrap().push(event);
    let outcome = run(&config(&stub, 0, 3), &cells(100, &["heron"]), &sink, &told, &CancellationToken::new()).await;
    assert_eq!((outcome.counts.ok, sink.rows().len()), (5, 5));
    let asked = *sink.appends.lock().unwrap();
    // Three are called at a time, and twenty-one more at most may wait for the disk meanwhile.
    assert!((6..=5 + 24).contains(&asked), "every cell in flight tries to be stored: {asked}");
    assert_eq!(outcome.counts.abandoned, asked - 5);
    assert_eq!(outcome.counts.open, 100 - asked);
    let finished = events.lock().unwrap().iter().filter(|event| matches!(event, Event::CellFinished { .. })).count();
    assert_eq!(finished, 5);
    let failure = Failure::from(outcome.failure.unwrap());
    assert_eq!(failure.kind, Kind::Outside);
    assert!(failure.messages[0].contains("no space left"), "{failure}");
}

/// Every answer costs 1.
fn budget(limit: f64) -> Spending {
    let price = Price { input_per_million: 1.0, output_per_million: 1.0 };
    let models = BTreeMap::from([("stub-model".to_owned(), price)]);
    Spending::new(limit, Prices { currency: "EUR".to_owned(), models })
}

fn answer_of_price(millions: u64) -> Reply {
    Reply::json(json!({
        "id": "r", "model": "stub-model", "usage": {"prompt_tokens": millions * 1_000_000, "completion_tokens": 0},
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "ok"}}],
    }))
}

#[tokio::test]
async fn a_failed_append_is_told_even_when_the_budget_was_reached_before() {
    let stub = Stub::start(|_| answer_of_price(1)).await;
    let sink = MemorySink { room_for: Some(0), ..MemorySink::default() };
    let config = RunConfig { spending: Some(budget(0.5)), ..config(&stub, 0, 1) };
    let outcome = run(&config, &cells(3, &["heron"]), &sink, &|_| {}, &CancellationToken::new()).await;
    assert_eq!((outcome.counts.ok, stub.count()), (0, 1));
    let failure = Failure::from(outcome.failure.unwrap());
    assert_eq!(failure.kind, Kind::Outside);
    assert!(failure.messages[0].contains("no space left"), "{failure}");
}

#[tokio::test]
async fn a_budget_stands_in_the_way_of_missing_cells_alone_and_counts_those_in_flight() {
    let stub = Stub::start(|_| answer_of_price(1).after_ms(20)).await;
    let config = RunConfig { spending: Some(budget(3.0)), ..config(&stub, 0, 3) };
    let whole = ran(&config, &cells(3, &["heron"])).await;
    assert_eq!(whole.rows.len(), 3);
    assert!(whole.outcome.failure.is_none(), "nothing is missing: {:?}", whole.outcome.failure);

    let config = RunConfig { spending: Some(budget(0.5)), ..config };
    let cut = ran(&config, &cells(9, &["heron"])).await;
    let Some(RunError::Budget(Overspent::Reached { spent, answers_n, .. })) = cut.outcome.failure else { panic!() };
    assert_eq!((spent, answers_n), (cut.rows.len() as f64, cut.rows.len() as u64));
    assert!(cut.rows.len() >= 3, "three were in flight: {}", cut.rows.len());
}

#[tokio::test]
async fn an_answer_of_unknown_cost_is_not_free_beside_answers_that_cost_nothing() {
    let stub = Stub::start(|seen| if seen.number == 0 { answer_of_price(0) } else { Reply::answer("ok") }).await;
    let config = RunConfig { spending: Some(budget(5.0)), ..config(&stub, 0, 1) };
    let ran = ran(&config, &cells(9, &["heron"])).await;
    assert!(matches!(ran.outcome.failure, Some(RunError::Budget(Overspent::Unknown { .. }))));
    assert_eq!(ran.rows.len(), 2);
}

#[tokio::test]
async fn stopping_abandons_calls_at_once_and_keeps_what_is_stored() {
    let stub = Stub::start(|seen| if seen.number < 4 { Reply::answer("ok") } else { Reply::Hang }).await;
    let sink = MemorySink::default();
    let mut config = config(&stub, 3, 2);
    config.timeout_s = 60.0;
    let cancel = CancellationToken::new();
    let planned = cells(10, &["heron"]);
    let none = |_| {};
    let running = run(&config, &planned, &sink, &none, &cancel);
    let stop = async {
        while stub.count() < 6 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        cancel.cancel();
        Instant::now()
    };
    let (outcome, stopped) = tokio::join!(running, stop);
    assert!(stopped.elapsed() < Duration::from_secs(1));
    assert!(outcome.cancelled && outcome.failure.is_none());
    assert_eq!((outcome.counts.ok, outcome.counts.abandoned, outcome.counts.open), (4, 2, 4));
    assert_eq!(sink.rows().len(), 4);
}

#[tokio::test]
async fn stopping_interrupts_a_wait_for_a_closed_gateway() {
    let stub = Stub::start(|_| Reply::status(429).with("retry-after", "200")).await;
    let mut config = config(&stub, 3, 4);
    config.pace = ragsql::wire::retry::Pace::REAL;
    let sink = MemorySink::default();
    let cancel = CancellationToken::new();
    let planned = cells(4, &["heron"]);
    let none = |_| {};
    let running = run(&config, &planned, &sink, &none, &cancel);
    let stop = async {
        while stub.count() == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        cancel.cancel();
        Instant::now()
    };
    let (outcome, stopped) = tokio::join!(running, stop);
    assert!(stopped.elapsed() < Duration::from_secs(1));
    assert_eq!(sink.rows().len(), 0);
    assert_eq!(outcome.counts.abandoned + outcome.counts.open, 4);
}

#[tokio::test]
async fn a_call_that_never_returns_does_not_hold_up_the_others() {
    let stub = Stub::start(|seen| if seen.number == 0 { Reply::Hang } else { Reply::answer("ok") }).await;
    let mut config = config(&stub, 0, 2);
    config.timeout_s = 0.3;
    let ran = ran(&config, &cells(20, &["heron"])).await;
    assert_eq!((ran.outcome.counts.ok, ran.outcome.counts.timeout), (19, 1));
    assert_eq!(ran.rows.last().unwrap()["status"], "timeout");
}
