//! Rate limits: floors, pauses, crowds and quotas. One second of waiting takes ten milliseconds here.

use super::support::{MemorySink, cells, config, ran, row_of};
use crate::stub::{Reply, Stub};
use ragsql::runner::limit::Limiter;
use ragsql::runner::{Asking, Event, run};
use ragsql::wire::call::Endpoint;
use ragsql::wire::failure::CallFailure;
use ragsql::wire::retry::Pace;
use serde_json::json;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn nobody_calls_before_the_floor_and_retries_are_spread() {
    let stub = Stub::start(|seen| match seen.number {
        // Slow enough that all twenty are refused before the first one knows.
        0..20 => Reply::status(429).with("retry-after", "20").after_ms(50),
        _ => Reply::answer("ok"),
    })
    .await;
    let ran = ran(&config(&stub, 1, 20), &cells(20, &["heron"])).await;
    assert_eq!(ran.outcome.counts.ok, 20);
    let seen = stub.seen();
    assert_eq!(seen.len(), 40);
    let refused = seen[0].at + Duration::from_millis(50);
    assert!(seen[20].at >= refused + Duration::from_millis(200), "{:?}", seen[20].at - refused);
    let waits: HashSet<u64> = ran
        .events
        .iter()
        .filter_map(|event| match event {
            Event::CellRetry { wait_ms, .. } => Some(*wait_ms),
            _ => None,
        })
        .collect();
    assert!(waits.len() >= 3 && waits.iter().all(|wait| (200..=204).contains(wait)), "{waits:?}");
}

#[tokio::test]
async fn a_floor_closes_the_gateway_for_cells_that_were_not_refused() {
    let stub = Stub::start(|seen| match seen.number {
        0 => Reply::status(429).with("retry-after", "20"),
        1 => Reply::answer("ok").after_ms(20),
        _ => Reply::answer("ok"),
    })
    .await;
    let ran = ran(&config(&stub, 1, 2), &cells(10, &["heron"])).await;
    assert_eq!(ran.outcome.counts.ok, 10);
    let seen = stub.seen();
    let floor = seen[0].at + Duration::from_millis(200);
    assert!(seen[2..].iter().all(|seen| seen.at >= floor), "{:?}", seen[2].at - seen[0].at);
}

#[tokio::test]
async fn retry_after_is_a_floor_and_zero_means_the_minimum() {
    let stub = Stub::start(|seen| match seen.number {
        0 => Reply::status(429).with("retry-after", "30"),
        1 => Reply::status(429).with("Retry-After", "0"),
        2 => Reply::status(503).with("retry-after-ms", "15000"),
        _ => Reply::answer("ok"),
    })
    .await;
    assert_eq!(row_of(&config(&stub, 3, 1)).await["status"], "ok");
    let at: Vec<Instant> = stub.seen().iter().map(|seen| seen.at).collect();
    assert!(at[1] - at[0] >= Duration::from_millis(300));
    assert!(at[2] - at[1] >= Duration::from_millis(1));
    assert!(at[3] - at[2] >= Duration::from_millis(150));
}

#[tokio::test]
async fn a_crowd_learns_the_limit_and_every_cell_succeeds() {
    let stub =
        Stub::start(|seen| if seen.in_flight > 3 { Reply::status(429) } else { Reply::answer("ok").after_ms(3) }).await;
    let ran = ran(&config(&stub, 1, 10), &cells(30, &["heron"])).await;
    assert_eq!(ran.outcome.counts.ok, 30, "{:?}", ran.outcome.counts);
    let cuts: Vec<(usize, usize, &str)> = ran
        .events
        .iter()
        .filter_map(|event| match event {
            Event::LimitChanged { service, from, to, reason } if to < from => {
                assert_eq!(*service, stub.chat_url());
                Some((*from, *to, reason.as_str()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(cuts.first(), Some(&(10, 5, "429")));
    assert!(cuts.iter().any(|(_, to, _)| *to <= 3), "{cuts:?}");
    assert!(stub.count() < 150, "{}", stub.count());
}

#[tokio::test]
async fn without_retries_a_refusal_is_one_request() {
    let stub = Stub::start(|_| Reply::status(429).with("retry-after", "1")).await;
    let ran = ran(&config(&stub, 0, 4), &cells(4, &["heron"])).await;
    assert_eq!((ran.outcome.counts.error, stub.count()), (4, 4));
}

#[tokio::test]
async fn a_quota_of_tomorrow_is_not_waited_for() {
    let stub = Stub::start(|_| Reply::status(429).with("retry-after", "43200")).await;
    let ran = ran(&config(&stub, 5, 3), &cells(3, &["heron"])).await;
    assert_eq!((ran.outcome.counts.error, stub.count()), (3, 3));
    for row in &ran.rows {
        assert_eq!(row["error"]["type"], "HTTPStatusError");
        let message = row["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("rate limited until ") && message.contains(" GMT: "), "{message}");
    }
}

#[tokio::test]
async fn a_refusal_of_a_lone_call_uses_up_a_retry() {
    let stub = Stub::start(|_| Reply::status(429)).await;
    let row = row_of(&config(&stub, 2, 1)).await;
    assert_eq!((&row["status"], &row["metrics"]["operational"]["attempts"]), (&json!("error"), &json!(3)));
}

#[tokio::test]
async fn a_gateway_that_always_refuses_a_crowd_is_asked_a_bounded_number_of_times() {
    let stub = Stub::start(|_| Reply::status(429)).await;
    let mut config = config(&stub, 1, 8);
    config.pace = Pace { scale_ratio: 0.0001 };
    let ran = ran(&config, &cells(8, &["heron"])).await;
    assert_eq!(ran.outcome.counts.error, 8);
    assert!(stub.count() <= 8 * 12, "{}", stub.count());
}

#[tokio::test]
async fn the_limit_halves_once_per_crowd_and_recovers_by_one() {
    let limiter = Limiter::new(8, Pace::REAL, 1);
    let refused = CallFailure::from_status(429, None, "no");
    let first = limiter.acquire().await;
    let second = limiter.acquire().await;
    let change = first.refused(&refused, true).change.unwrap();
    assert_eq!((change.from, change.to), (8, 4));
    assert!(second.refused(&refused, true).change.is_none());
    for _ in 0..3 {
        assert!(limiter.acquire().await.succeeded().is_none());
    }
    let change = limiter.acquire().await.succeeded().unwrap();
    assert_eq!((change.from, change.to, limiter.limit()), (4, 5, 5));
    for _ in 0..9 {
        limiter.acquire().await.refused(&refused, true);
    }
    assert_eq!(limiter.limit(), 1);
    // A place is given back even when the call is dropped midway.
    drop(limiter.acquire().await);
    drop(limiter.acquire().await);
}

#[tokio::test]
async fn a_service_that_is_closed_for_minutes_does_not_keep_the_others_waiting() {
    // One turn for all, and every cell of the first service comes before those of the second.
    for (concurrency, status) in [(1, 429), (2, 503)] {
        let closed = Stub::start(move |_| Reply::status(status).with("retry-after", "200")).await;
        let calm = Stub::start(|_| Reply::answer("ok")).await;
        let mut config = config(&closed, 3, concurrency);
        config.pace = Pace::REAL;
        let endpoint = Endpoint::new(&calm.chat_url()).unwrap();
        config.approaches.insert("calm".to_owned(), Asking { endpoint, ..config.gateway.clone() });
        let (planned, cancel) = (cells(20, &["busy", "calm"]), CancellationToken::new());
        let finished = AtomicUsize::new(0);
        let told = |event| {
            let is_finished = matches!(event, Event::CellFinished { .. });
            if is_finished && finished.fetch_add(1, Ordering::SeqCst) + 1 == 20 && closed.count() > 0 {
                cancel.cancel();
            }
        };
        let sink = MemorySink::default();
        let running = run(&config, &planned, &sink, &told, &cancel);
        let outcome = tokio::time::timeout(Duration::from_secs(60), running).await.expect("the calm service is asked");
        assert!(outcome.cancelled);
        assert_eq!((outcome.counts.ok, calm.count()), (20, 20));
        assert!(calm.seen().iter().all(|seen| seen.in_flight <= concurrency));
        assert!((1..=concurrency).contains(&closed.count()), "{}", closed.count());
    }
}
