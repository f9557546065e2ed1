//! What a gate decides, and that exit code, terminal, JSON, JUnit and HTML say the same.

use super::support::{all, and_metric, cells, document, failed, of_run, project, row};
use crate::cli::project::{Project, Told};
use crate::statistics::support::Cells;
use serde_json::Value;

/// Twelve scores around a mean.
const STEADY: [f64; 12] = [0.9, 0.85, 0.8, 0.9, 0.95, 0.85, 0.9, 0.8, 0.85, 0.9, 0.95, 0.85];

fn lowered(by: f64) -> Vec<Option<f64>> {
    STEADY.iter().enumerate().map(|(number, score)| Some(score - by - 0.01 * (number % 3) as f64)).collect()
}

fn steady() -> Vec<Option<f64>> {
    all(&STEADY)
}

/// Runs the gate with every kind of output and holds them against each other.
fn decide(project: &Project, more: &[&str]) -> (Told, Value) {
    let arguments = ["gate", "--candidate", "new", "--baseline", "old"];
    let files = ["--junit", "ci/gate.xml", "--html", "ci/gate.html"];
    let told = project.ragsql(&[&arguments[..], &files[..], more].concat());
    let (junit, html) = (project.read("ci/gate.xml"), project.read("ci/gate.html"));
    let json = project.ragsql(&[&arguments[..], &["--json"], more].concat());
    assert_eq!(json.code, told.code);
    let document = document(&json.out);
    assert_eq!(document["exit_code"], told.code);
    let total = document["total_verdict"].as_str().unwrap();
    assert!(told.out.contains(&format!(" gate            {total} · ")), "{}", told.out);
    assert!(html.contains(&format!("<h1>Gate: <span class=\"{total}\">{total}</span></h1>")), "{html}");
    assert!(html.contains(&format!("Exit code {}.", told.code)), "{html}");
    let failures = junit.matches("<failure ").count();
    assert_eq!(failures > 0, told.code == 1, "a failure in JUnit is exit code 1 and nothing else: {junit}");
    assert!(junit.contains(&format!("failures=\"{failures}\" errors=\"0\"")), "{junit}");
    assert!(junit.contains(&format!("skipped=\"{}\"", junit.matches("<skipped ").count())), "{junit}");
    let rows = document["rows"].as_array().unwrap();
    assert!(junit.contains(&format!("tests=\"{}\"", rows.len() + 1)), "every row and the total: {junit}");
    for row in rows {
        let message = row["message"].as_str().unwrap();
        for text in [&told.out, &junit, &html] {
            assert!(text.contains(message), "`{message}` is not in {text}");
        }
    }
    (told, document)
}

#[test]
fn k13_a_good_mean_with_half_the_scores_fails_on_coverage() {
    let scores: Vec<Option<f64>> = (0..20).map(|n| (n % 2 == 0).then_some(0.88 + 0.02 * f64::from(n % 3))).collect();
    let before = cells("old", "heron", "faithfulness", &[Some(0.9); 20]);
    let runs = [("new", cells("new", "heron", "faithfulness", &scores)), ("old", before)];
    let gate = "gate:\n  checks:\n    - {metric: faithfulness, min_mean: 0.7, min_coverage: 0.9}\n";
    let (told, document) = decide(&project(&runs, gate), &[]);
    assert_eq!((told.code, &document["total_verdict"]), (1, &"fail".into()));
    assert_eq!(row(&document, "min_mean", None)["verdict"], "pass");
    let coverage = row(&document, "min_coverage", None);
    assert_eq!(coverage["verdict"], "fail");
    let message = "faithfulness (builtin/lexical-evaluator) of heron on harbour, min_coverage 0.9: coverage 0.500 (10 of 20 scored) is below 0.9";
    assert_eq!(coverage["message"], message);
}

fn steady_run(run_id: &str) -> Cells {
    cells(run_id, "heron", "faithfulness", &steady())
}

fn pair(candidate: &[Option<f64>], gate: &str) -> Project {
    project(&[("new", cells("new", "heron", "faithfulness", candidate)), ("old", steady_run("old"))], gate)
}

const MARGIN: &str = "gate:\n  checks:\n    - {metric: faithfulness, margin: 0.05}\n";

#[test]
fn a_deterministic_system_against_itself_passes_as_identical() {
    let (told, document) = decide(&pair(&steady(), MARGIN), &[]);
    assert_eq!(told.code, 0);
    assert_eq!(row(&document, "margin", None)["note"], "identical");
    assert!(told.out.contains("no decline beyond the margins was found"), "{}", told.out);
}

#[test]
fn a_decline_beyond_the_margin_fails_and_a_small_one_passes_with_a_note() {
    let (told, document) = decide(&pair(&lowered(0.2), MARGIN), &[]);
    assert_eq!((told.code, row(&document, "margin", None)["verdict"].as_str()), (1, Some("fail")));
    let (told, document) = decide(&pair(&lowered(0.01), MARGIN), &[]);
    assert_eq!((told.code, row(&document, "margin", None)["note"].as_str()), (0, Some("small_real_decline")));
}

#[test]
fn what_cannot_be_decided_ends_with_4_unless_it_is_mapped_and_is_still_called_so() {
    let mut scattered = lowered(0.0);
    scattered[1] = Some(0.2);
    for (more, code) in [(&[][..], 4), (&["--inconclusive", "pass"], 0), (&["--inconclusive", "fail"], 1)] {
        let (told, document) = decide(&pair(&scattered, MARGIN), more);
        assert_eq!(told.code, code);
        assert_eq!(document["total_verdict"], "inconclusive");
        assert_eq!(row(&document, "margin", None)["verdict"], "inconclusive");
    }
}

#[test]
fn k11_a_scorer_that_knows_one_score_makes_nothing_better_than_the_baseline() {
    let gate = "gate:\n  checks:\n    - {metric: faithfulness, better_than_baseline: true}\n";
    let constant = vec![Some(1.0); 12];
    for turn in [0, 7] {
        let project = Project::new();
        for run in ["old", "new"] {
            let mut both = Cells::default();
            for approach in ["wren", "heron"] {
                both.scores("harbour", 1, approach, "faithfulness", &constant);
            }
            project.write(&format!("compare/results/{run}.jsonl"), &of_run(run, both).lines(turn));
        }
        let manifest = project.read("compare/evaluation.yaml");
        project.write("compare/evaluation.yaml", &(manifest + gate));
        let (told, document) = decide(&project, &[]);
        assert_eq!(told.code, 1);
        let approaches: Vec<&str> =
            document["rows"].as_array().unwrap().iter().filter_map(|row| row["approach"].as_str()).collect();
        assert_eq!(approaches, ["heron", "wren"], "the same order whatever the order of the rows");
        let message = row(&document, "better_than_baseline", Some("heron"))["message"].as_str().unwrap();
        assert!(message.ends_with("identical on all 12 shared questions, so not better"), "{message}");
    }
    let better: Vec<Option<f64>> = STEADY.iter().map(|score| Some(score - 0.3)).collect();
    let runs = [("new", steady_run("new")), ("old", cells("old", "heron", "faithfulness", &better))];
    let mut runs = runs.map(|(name, cells)| (name, cells));
    runs[1].1.0[0]["metrics"]["ragas"]["scores"]["faithfulness"] = 0.55.into();
    assert_eq!(decide(&project(&runs, gate), &[]).0.code, 0);
}

#[test]
fn another_evaluator_is_named_and_nothing_is_compared_with_the_baseline() {
    let mut candidate = steady_run("new");
    for cell in &mut candidate.0 {
        cell["metrics"]["ragas"]["evaluator_model"] = "qwen".into();
    }
    let runs = [("new", candidate.clone()), ("old", steady_run("old"))];
    let (told, document) = decide(&project(&runs, MARGIN), &[]);
    assert_eq!(told.code, 4);
    let comparable = row(&document, "comparable", None);
    assert_eq!((&comparable["verdict"], &comparable["marks"]), (&"inconclusive".into(), &"evaluator".into()));
    assert_eq!(row(&document, "margin", None)["verdict"], "not_run");
    let allowed = MARGIN.replace("gate:\n", "gate:\n  may_differ: [evaluator]\n");
    let (told, document) = decide(&project(&runs, &allowed), &[]);
    assert_eq!((told.code, row(&document, "comparable", None)["verdict"].as_str()), (0, Some("pass")));
    candidate.0[3]["question"]["query"] = "What else?".into();
    let (_, document) = decide(&project(&[("new", candidate), ("old", steady_run("old"))], &allowed), &[]);
    assert_eq!(row(&document, "comparable", None)["marks"], "questions");
}

#[test]
fn what_a_run_lacks_never_passes() {
    let gate = "gate:\n  checks:\n    - {metric: faithfulness, approaches: [heron, wren], min_mean: 0.5}\n";
    let (told, document) = decide(&pair(&steady(), gate), &[]);
    assert_eq!((told.code, row(&document, "min_mean", Some("wren"))["reason"].as_str()), (4, Some("no_cells")));
    let unscored = cells("new", "heron", "answer_relevancy", &steady());
    let (told, document) = decide(&project(&[("new", unscored), ("old", steady_run("old"))], MARGIN), &[]);
    assert_eq!((told.code, row(&document, "margin", None)["reason"].as_str()), (4, Some("no_scores")));
    let runs = [("new", failed(steady_run("new"))), ("old", steady_run("old"))];
    let gate = "gate:\n  checks:\n    - {metric: ok, min_mean: 0.9, evidence: mean}\n";
    let (told, document) = decide(&project(&runs, gate), &[]);
    let message = row(&document, "min_mean", None)["message"].as_str().unwrap();
    assert_eq!(told.code, 1);
    assert!(
        message.ends_with("mean 0.000 over 12 of 12 questions breaks the point rule, which looks at no interval"),
        "{message}"
    );
    let few: Vec<Option<f64>> = STEADY.iter().enumerate().map(|(n, score)| (n < 6).then_some(*score)).collect();
    let gate = "gate:\n  checks:\n    - {metric: faithfulness, min_mean: 0.5}\n";
    let (told, document) = decide(&pair(&few, gate), &[]);
    assert_eq!((told.code, row(&document, "min_mean", None)["reason"].as_str()), (4, Some("coverage")));
}

#[test]
fn a_gate_in_which_nothing_applies_cannot_pass() {
    let mut runs = [("new", steady_run("new")), ("old", steady_run("old"))];
    for (_, cells) in &mut runs {
        for cell in &mut cells.0 {
            cell["approach"]["evidence_capability"] = "answer_only".into();
        }
    }
    let gate = "gate:\n  checks:\n    - {metric: faithfulness, min_mean: 0.5}\n";
    let (told, document) = decide(&project(&runs, gate), &[]);
    assert_eq!((told.code, row(&document, "min_mean", None)["verdict"].as_str()), (4, Some("not_applicable")));
    assert!(told.out.contains("there is nothing that could pass"), "{}", told.out);
}

#[test]
fn advisory_checks_are_shown_and_decide_nothing() {
    let candidate = and_metric(cells("new", "heron", "faithfulness", &steady()), "answer_relevancy", &lowered(0.5));
    let baseline = and_metric(steady_run("old"), "answer_relevancy", &steady());
    let gate = "gate:\n  checks:\n    - {metric: faithfulness, margin: 0.05, robust: true}\n\
                \x20   - {metric: answer_relevancy, margin: 0.05, advisory: true}\n";
    let (told, document) = decide(&project(&[("new", candidate), ("old", baseline)], gate), &[]);
    assert_eq!((told.code, document["advisory_n"].as_i64()), (0, Some(2)));
    assert!(told.out.contains("worse by more than the margin (shown only)"), "{}", told.out);
}

#[test]
fn a_slower_answer_is_told_as_a_ratio_against_a_margin_in_shares() {
    let mut candidate = steady_run("new");
    for (number, cell) in candidate.0.iter_mut().enumerate() {
        cell["metrics"]["operational"]["latency_ms"] = (140 + number % 3).into();
    }
    let runs = [("new", candidate), ("old", steady_run("old"))];
    for (margin, code) in [("0.5", 0), ("0.3", 1)] {
        let gate = format!("gate:\n  checks:\n    - {{name: speed, metric: latency_ms, margin: {margin}}}\n");
        let (told, document) = decide(&project(&runs, &gate), &[]);
        let message = row(&document, "margin", None)["message"].as_str().unwrap();
        assert_eq!(told.code, code, "{message}");
        assert!(message.starts_with("speed: latency_ms of heron on harbour, margin 0"), "{message}");
        assert!(message.contains("1.410 times the baseline over 12 of 12 questions"), "{message}");
    }
}

#[test]
fn names_from_outside_stay_text_in_every_output() {
    let hostile = "<b>\u{1b}[31m&\"'";
    let mut runs = [("new", steady_run("new")), ("old", steady_run("old"))];
    for (_, cells) in &mut runs {
        for cell in &mut cells.0 {
            cell["approach"]["model"] = hostile.into();
        }
    }
    let project = project(&runs, MARGIN);
    let files = ["--junit", "ci/gate.xml", "--html", "ci/gate.html"];
    let told =
        project.ragsql(&[&["gate", "--candidate", "new", "--baseline", "old"], &files[..]].concat()).ends_with(0);
    assert!(!told.out.contains('\u{1b}'), "{}", told.out);
    for file in ["ci/gate.xml", "ci/gate.html"] {
        let text = project.read(file);
        assert!(text.contains("&lt;b&gt;") && !text.contains("<b>") && !text.contains('\u{1b}'), "{text}");
    }
}
