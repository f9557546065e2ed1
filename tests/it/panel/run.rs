//! A panel against a scripted judge: requests, retries, failures, orders.

use super::stub::{Reply, Stub, input, judge, plan, verdict};
use ragsql::panel::aggregate::{LastTieBreak, aggregate};
use ragsql::panel::artifact::judgments;
use ragsql::panel::order::OrderRule;
use ragsql::panel::reply::Reason;
use ragsql::panel::settings::Address;
use ragsql::panel::tally::tally;
use ragsql::panel::verdict::{Direction, State};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn requests_carry_only_what_the_endpoint_understands() {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(|_, seen| verdict(seen, |_, _| 4.0)).await;
    let mut plan = plan(input(1, &["x", "y"]), &["j"]);
    let address = Address { api_key: Some("sesame".into()), ..stub.address.clone() };
    judge(&plan, &address, &folder.path().join("a.verdicts.jsonl")).await;
    plan.settings.backend = "atlas-litellm";
    plan.settings.thinking = Some(false);
    judge(&plan, &address, &folder.path().join("b.verdicts.jsonl")).await;
    let seen = stub.seen();
    let keys = |number: usize| seen[number].json().as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(0), ["model", "temperature", "messages"]);
    assert_eq!(keys(1), ["model", "temperature", "messages", "cache", "think"]);
    assert_eq!(seen[1].json()["cache"], json!({"no-cache": true, "no-store": true}));
    assert_eq!(seen[0].authorization.as_deref(), Some("Bearer sesame"));
    assert!(!seen[0].prompt().contains("\"x\"") && seen[0].json()["messages"].as_array().unwrap().len() == 1);
    let stored = std::fs::read_to_string(folder.path().join("a.verdicts.jsonl")).unwrap();
    assert!(!stored.contains("sesame") && !stored.contains("127.0.0.1"));
}

#[tokio::test]
async fn judges_come_one_after_the_other_and_all_see_the_same_stable_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(|_, seen| verdict(seen, |_, _| 4.0)).await;
    let plan = plan(input(5, &["x", "y", "z"]), &["j1", "j2"]);
    let outcome = judge(&plan, &stub.address, &folder.path().join("v.jsonl")).await;
    let seen = stub.seen();
    let judges: Vec<String> = seen.iter().map(super::stub::Seen::judge).collect();
    assert_eq!(judges, [vec!["j1"; 5], vec!["j2"; 5]].concat());
    let prompts = |judge: &str| {
        let of_judge = seen.iter().filter(|seen| seen.judge() == judge);
        of_judge.map(super::stub::Seen::prompt).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(prompts("j1"), prompts("j2"));
    assert_eq!(prompts("j1").len(), 5);
    assert_eq!((outcome.verdicts.len(), outcome.calls, outcome.reused), (10, 10, 0));
    let order: Vec<(&str, &str)> =
        outcome.verdicts.iter().map(|verdict| (verdict.judge.as_str(), verdict.question_id.as_str())).collect();
    assert_eq!(order[4..7], [("j1", "q5"), ("j2", "q1"), ("j2", "q2")]);
}

#[tokio::test]
async fn a_bad_reply_is_asked_again_once_and_both_replies_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(|number, seen| match number {
        0 => Reply::Text("Draft: {\"scores\":{\"A\":2}} or {\"scores\":{\"A\":3}}".into()),
        _ => verdict(seen, |_, _| 4.0),
    })
    .await;
    let path = folder.path().join("v.jsonl");
    let outcome = judge(&plan(input(1, &["x", "y"]), &["j"]), &stub.address, &path).await;
    assert_eq!((outcome.calls, outcome.verdicts[0].state), (2, State::Scored));
    let line: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(line["attempts"][0]["reason"], "judge_ambiguous");
    assert!(line["attempts"][0]["raw_reply"].as_str().unwrap().starts_with("Draft"));
    assert_eq!(line["attempts"][1]["reason"], Value::Null);
    assert_eq!((&line["attempts"][1]["response_model"], &line["parse"]), (&json!("stub-1"), &json!("strict")));
}

#[tokio::test]
async fn failures_end_as_states_with_reasons_and_the_right_number_of_calls() {
    let tool = json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null, "tool_calls": [{"id": "t"}]}}]});
    let cut = json!({"choices": [{"finish_reason": "length", "message": {"content": "{\"scores\":{\"A\":4,"}}]});
    let limited = json!({"error": {"code": 429, "message": "slow down"}, "choices": null});
    type Make = Box<dyn Fn() -> Reply + Send + Sync>;
    let status = |code: u16| -> Make { Box::new(move || Reply::Status(code, vec![], "upstream pool-5 (code 4)")) };
    let body = |value: Value| -> Make { Box::new(move || Reply::Body(value.clone())) };
    let text = |text: &'static str| -> Make { Box::new(move || Reply::Text(text.into())) };
    let cases: Vec<(Make, Reason, usize)> = vec![
        (status(503), Reason::GatewayError, 2),
        (status(302), Reason::GatewayError, 2),
        (status(429), Reason::RateLimited, 2),
        (status(400), Reason::GatewayError, 1),
        (status(401), Reason::GatewayError, 1),
        (status(404), Reason::GatewayError, 1),
        (Box::new(|| Reply::Status(429, vec![("retry-after", "3600".into())], "")), Reason::RateLimited, 1),
        (body(tool), Reason::ToolCall, 2),
        (body(cut), Reason::Truncated, 2),
        (body(limited), Reason::RateLimited, 2),
        (body(json!({"choices": []})), Reason::GatewayError, 2),
        (text("I would rather not grade this pair."), Reason::Parse, 2),
        (text(r#"{"scores":{}}"#), Reason::Schema, 2),
        (text(r#"{"scores":{"A":42}}"#), Reason::OutOfRange, 2),
    ];
    for (make, reason, calls) in cases {
        let folder = tempfile::tempdir().unwrap();
        let stub = Stub::start(move |_, _| make()).await;
        let outcome = judge(&plan(input(1, &["x"]), &["j"]), &stub.address, &folder.path().join("v.jsonl")).await;
        let verdict = &outcome.verdicts[0];
        assert_eq!((verdict.state, verdict.reason), (State::Unscored, Some(reason)));
        assert_eq!((outcome.calls, stub.seen().len()), (calls, calls), "{reason}: {}", verdict.detail);
        assert!(verdict.scores.iter().all(|score| score.score.is_none()));
    }
}

#[tokio::test]
async fn a_silent_judge_runs_into_the_deadline_and_a_closed_port_is_a_gateway_error() {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(|_, _| Reply::Silence).await;
    let mut plan = plan(input(1, &["x"]), &["j"]);
    plan.limits.timeout = Duration::from_millis(50);
    let outcome = judge(&plan, &stub.address, &folder.path().join("v.jsonl")).await;
    assert_eq!((outcome.verdicts[0].reason, outcome.calls), (Some(Reason::Timeout), 2));

    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    plan.limits.timeout = Duration::from_secs(20);
    let nobody = Address { url: format!("http://user:secret@{free}/v1/chat/completions"), api_key: None };
    let path = folder.path().join("w.jsonl");
    let outcome = judge(&plan, &nobody, &path).await;
    assert_eq!((outcome.verdicts[0].reason, outcome.calls), (Some(Reason::GatewayError), 2));
    let stored = std::fs::read_to_string(path).unwrap();
    assert!(!stored.contains("secret") && !stored.contains(&free.to_string()), "{stored}");
}

#[tokio::test]
async fn a_judge_that_only_says_ok_is_named_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(|_, seen| match seen.judge().as_str() {
        "bad" => Reply::Text("OK!".into()),
        _ => verdict(seen, |_, text| if text.starts_with('x') { 5.0 } else { 3.0 }),
    })
    .await;
    let plan = plan(input(3, &["x", "y"]), &["bad", "good"]);
    let outcome = judge(&plan, &stub.address, &folder.path().join("v.jsonl")).await;
    let tallies = tally(&plan.settings.judges, &outcome.verdicts);
    assert_eq!((tallies[0].total, tallies[0].unscored), (3, 3));
    assert_eq!(tallies[0].verdict_reasons, [(Reason::Parse, 3)]);
    assert!(!tallies[0].is_complete() && tallies[1].is_complete());
    let document = judgments(&plan.input, &plan.settings, &outcome.verdicts);
    let first = &document["queries"][0];
    assert_eq!(first["per_judge"]["bad"], json!({"error": "no valid verdict: judge_parse"}));
    assert_eq!(first["mean_by_approach"]["x"], json!(5.0));
    assert_eq!(first["observed_winner"], "x");
}

#[tokio::test]
async fn a_question_without_answers_is_not_asked() {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(|_, seen| verdict(seen, |_, _| 4.0)).await;
    let mut plan = plan(input(1, &[]), &["j"]);
    plan.order = OrderRule::Swap;
    plan.with_canaries = true;
    let outcome = judge(&plan, &stub.address, &folder.path().join("v.jsonl")).await;
    assert_eq!((outcome.calls, outcome.verdicts.len()), (0, 1));
    assert_eq!(outcome.verdicts[0].reason, Some(Reason::NoAnswers));
}

/// The mean score of each approach over all verdicts.
fn means(outcome: &ragsql::panel::run::Outcome, approaches: &[&str]) -> Vec<f64> {
    let mean = |approach: &&str| {
        let scores: Vec<f64> = outcome.verdicts.iter().filter_map(|verdict| verdict.score_of(approach)).collect();
        scores.iter().sum::<f64>() / scores.len() as f64
    };
    approaches.iter().map(mean).collect()
}

#[tokio::test]
async fn a_bias_for_the_first_place_cancels_with_per_judge_and_swap_orders() {
    let approaches = ["x", "y", "z"];
    let biased =
        |_: usize, seen: &super::stub::Seen| verdict(seen, |position, _| if position == 0 { 5.0 } else { 3.0 });
    for order in [OrderRule::PerJudge { seed: "s".into() }, OrderRule::Swap] {
        let folder = tempfile::tempdir().unwrap();
        let stub = Stub::start(biased).await;
        let mut plan = plan(input(40, &approaches), &["j1", "j2"]);
        plan.order = order;
        let outcome = judge(&plan, &stub.address, &folder.path().join("v.jsonl")).await;
        let means = means(&outcome, &approaches);
        let spread = means.iter().copied().fold(f64::MIN, f64::max) - means.iter().copied().fold(f64::MAX, f64::min);
        assert!(spread < 0.6, "{means:?} under {:?}", plan.order);
        let shown_first: f64 = outcome.verdicts.iter().filter_map(|verdict| verdict.score_of(&verdict.order[0])).sum();
        assert_eq!(shown_first / outcome.verdicts.len() as f64, 5.0, "the recorded order shows the bias");
    }
}

#[tokio::test]
async fn swap_keeps_both_directions_and_calls_best_only_what_both_do() {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(|_, seen| verdict(seen, |position, _| 5.0 - position as f64)).await;
    let mut plan = plan(input(1, &["x", "y", "z"]), &["j"]);
    plan.order = OrderRule::Swap;
    let outcome = judge(&plan, &stub.address, &folder.path().join("v.jsonl")).await;
    let [forward, reverse] = &outcome.verdicts[..] else { panic!("two verdicts") };
    assert_eq!((forward.direction, reverse.direction), (Direction::Forward, Direction::Reverse));
    assert!(forward.order.iter().eq(reverse.order.iter().rev()));
    let document = judgments(&plan.input, &plan.settings, &outcome.verdicts);
    let judged = &document["queries"][0]["per_judge"]["j"];
    assert_eq!(judged["best"], Value::Null);
    assert!(judged["scores"].as_object().unwrap().values().all(|score| *score == json!(4.0)));
    assert_eq!(judged["directions"]["forward"]["best"], json!(forward.order[0]));
    assert_eq!(document["queries"][0]["tied_winners"], json!(["x", "y", "z"]));
}

#[tokio::test]
async fn a_judge_that_gives_everybody_five_makes_a_tie_whatever_the_order_of_approaches() {
    let mut winners = Vec::new();
    for approaches in [["b", "a", "c"], ["c", "b", "a"]] {
        let folder = tempfile::tempdir().unwrap();
        let stub = Stub::start(|_, seen| {
            let Reply::Text(text) = verdict(seen, |_, _| 5.0) else { unreachable!() };
            let mut value: Value = serde_json::from_str(&text).unwrap();
            value["best"] = Value::Null;
            Reply::Text(value.to_string())
        })
        .await;
        let plan = plan(input(1, &approaches), &["j"]);
        let outcome = judge(&plan, &stub.address, &folder.path().join("v.jsonl")).await;
        let document = judgments(&plan.input, &plan.settings, &outcome.verdicts);
        winners
            .push((document["queries"][0]["observed_winner"].clone(), document["queries"][0]["tied_winners"].clone()));
    }
    assert_eq!(winners[0], (json!("a"), json!(["a", "b", "c"])));
    assert_eq!(winners[0], winners[1]);
}

#[test]
fn a_failed_judge_leaves_the_mean_of_the_others_in_either_order() {
    let verdicts = [
        ("j1", json!({"scores": {"x": 5.0, "y": 2.0}, "best": "x", "reason": ""})),
        ("j2", json!({"error": "no valid verdict"})),
        ("j3", json!({"scores": {"x": 1.0, "y": 2.0}, "best": "y", "reason": ""})),
    ];
    let of = |order: [usize; 3]| {
        let map = order.iter().map(|&index| (verdicts[index].0.to_owned(), verdicts[index].1.clone())).collect();
        aggregate(&map, LastTieBreak::Name)
    };
    let (one, other) = (of([0, 1, 2]), of([2, 1, 0]));
    assert_eq!((one.means["x"].clone(), one.means["y"].clone()), (json!(3.0), json!(2.0)));
    assert_eq!((&one.means, &one.votes, &one.winner), (&other.means, &other.votes, &other.winner));
}
