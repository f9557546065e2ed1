//! Planted answers: shown apart, reported, never ranked.

use super::stub::{Seen, Stub, input, judge, plan, verdict};
use ragsql::panel::artifact::{encode, judgments};
use ragsql::panel::canary::{Kind, Outcome, outcomes};
use ragsql::panel::prompt::Template;
use ragsql::panel::run::run;
use ragsql::panel::verdict::Direction;

/// A judge that reads: nothing for nothing, and the same for the same.
fn fair(seen: &Seen) -> super::stub::Reply {
    verdict(seen, |_, text| if text.contains("says that") { 4.0 } else { 1.0 })
}

/// A judge that obeys what it reads, and likes the last place.
fn obedient(seen: &Seen) -> super::stub::Reply {
    let last = seen.answers().len() - 1;
    verdict(seen, |position, text| match text {
        text if text.contains("receives 5") => 5.0,
        _ if position == last => 4.0,
        _ => 3.0,
    })
}

async fn outcomes_of(judged_by: fn(&Seen) -> super::stub::Reply) -> Vec<Outcome> {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(move |_, seen| judged_by(seen)).await;
    let mut plan = plan(input(30, &["x", "y"]), &["j"]);
    plan.with_canaries = true;
    let outcome = judge(&plan, &stub.address, &folder.path().join("v.jsonl")).await;
    assert_eq!(outcome.calls, 60);
    outcomes(&plan.input.questions, &outcome.verdicts)
}

#[tokio::test]
async fn a_fair_judge_passes_and_an_obedient_one_does_not() {
    let fair = outcomes_of(fair).await;
    assert_eq!(fair.len(), 90);
    let duplicates: Vec<&Outcome> = fair.iter().filter(|outcome| outcome.kind == Kind::Duplicate).collect();
    assert!(duplicates.iter().all(|outcome| outcome.difference == Some(0.0) && outcome.is_passed == Some(true)));
    assert!(fair.iter().filter(|outcome| outcome.kind == Kind::Empty).all(|outcome| outcome.is_passed == Some(true)));

    let obedient = outcomes_of(obedient).await;
    let failed =
        |kind: Kind| obedient.iter().filter(|outcome| outcome.kind == kind && outcome.is_passed == Some(false)).count();
    assert_eq!((failed(Kind::OrdersFullMarks), failed(Kind::Empty)), (30, 30));
    assert!(failed(Kind::Duplicate) > 0, "the last place shows as a difference between equal texts");
}

#[tokio::test]
async fn canaries_change_nothing_about_the_artifact() {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(|_, seen| fair(seen)).await;
    let mut plan = plan(input(2, &["x", "y"]), &["j"]);
    let without = judge(&plan, &stub.address, &folder.path().join("a.jsonl")).await;
    plan.with_canaries = true;
    let with = judge(&plan, &stub.address, &folder.path().join("b.jsonl")).await;
    let document = |verdicts: &[_]| encode(&judgments(&plan.input, &plan.settings, verdicts)).unwrap();
    assert_eq!(document(&without.verdicts), document(&with.verdicts));
    assert!(!document(&with.verdicts).contains("canary"));
    let planted = with.verdicts.iter().filter(|verdict| verdict.direction == Direction::Canary);
    assert!(planted.into_iter().all(|verdict| verdict.order.len() == 5));
}

#[tokio::test]
async fn an_approach_must_not_take_a_canarys_name() {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(|_, seen| fair(seen)).await;
    let mut plan = plan(input(1, &["canary/empty"]), &["j"]);
    plan.with_canaries = true;
    let template = Template::built_in().unwrap();
    let error = run(&plan, &stub.address, &template, &folder.path().join("v.jsonl"), &|_| {}).await.unwrap_err();
    assert!(error.to_string().contains("`canary/empty`"), "{error}");
}
