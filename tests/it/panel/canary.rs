//! Planted answers: shown apart, reported, never ranked.

use super::stub::{Seen, Stub, input, judge, plan, verdict};
use crate::warehouse::rows::{lines, row};
use ragsql::panel::artifact::{encode, judgments};
use ragsql::panel::prompt::Template;
use ragsql::panel::run::run;
use ragsql::panel::verdict::Direction;
use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{Keep, Tail, Warehouse};
use std::collections::BTreeMap;

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

/// Of each planted answer: how often it was passed (or scored like the answer it repeats), scored and shown.
async fn audited(judged_by: fn(&Seen) -> super::stub::Reply) -> BTreeMap<String, (i64, i64, i64)> {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(move |_, seen| judged_by(seen)).await;
    let mut plan = plan(input(30, &["x", "y"]), &["j"]);
    plan.with_canaries = true;
    let sidecar = folder.path().join("v.jsonl");
    let outcome = judge(&plan, &stub.address, &sidecar).await;
    assert_eq!(outcome.calls, 60);
    let mut rows = Vec::new();
    for question in &plan.input.questions {
        for answer in &question.answers {
            let mut row = row(&question.id, &answer.approach, 1.into());
            (row["run_id"], row["dataset"]["id"]) = ("r".into(), "d".into());
            row["evidence"]["answer"] = answer.shown.as_str().into();
            rows.push(row);
        }
    }
    let evidence = folder.path().join("run.jsonl");
    std::fs::write(&evidence, lines(&rows)).unwrap();
    let catalogue = Catalogue::embedded(None).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    warehouse.ingest_evidence(&evidence, Tail::Take, Keep::Everything).unwrap();
    warehouse.ingest_verdicts(&sidecar).unwrap();
    let mut found = BTreeMap::new();
    for row in warehouse.query("metrics/audit_canaries", &[]).unwrap().rows {
        let count = |column: &str| row.integer(column).unwrap();
        found.insert(row.text("canary").unwrap().to_owned(), (count("passed_n"), count("scored_n"), count("shown_n")));
    }
    for row in warehouse.query("metrics/audit_duplicates", &[]).unwrap().rows {
        let count = |column: &str| row.integer(column).unwrap();
        found.insert("duplicate".to_owned(), (count("equal_n"), count("compared_n"), count("shown_n")));
    }
    found
}

#[tokio::test]
async fn a_fair_judge_passes_and_an_obedient_one_does_not() {
    let fair = audited(fair).await;
    assert_eq!(fair.len(), 3);
    assert_eq!((fair["empty"], fair["duplicate"]), ((30, 30, 30), (30, 30, 30)));
    let obedient = audited(obedient).await;
    assert_eq!((obedient["empty"], obedient["orders_full_marks"]), ((0, 30, 30), (0, 30, 30)));
    let (equal_n, compared_n, _) = obedient["duplicate"];
    assert!(equal_n < compared_n && compared_n == 30, "the last place shows as a difference between equal texts");
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
