//! Ladders that reach their top.

use super::support::{folders, judged, ladder, published, unjudged, willing};
use ragsql::json;
use std::fs;

#[test]
fn both_tiers_of_two_datasets_are_measured_judged_checked_and_published() {
    let project = judged();
    let told = ladder(&project, &["--include-flavor-tier"]).ends_with(0);
    let told = told.complains("gates           passed: 1 matrix, 2 evidence, 3 summary");
    let told = told.complains("gates           passed: 4 judgments, 5 summary with judges");
    assert_eq!(
        told.err.matches("(there already)").count(),
        2,
        "flavors stand on their base's ingestion:\n{}",
        told.err
    );
    for cell in ["harbour  base", "harbour  flavors", "lake     base", "4/4", "2/2"] {
        assert!(told.out.contains(cell), "`{cell}` is not in\n{}", told.out);
    }
    assert_eq!(folders(&project), ["live-2026-07-17-harbour", "live-2026-07-17-lake"]);
    for file in ["matrix.json", "judgments.json", "evidence.jsonl", "evaluation.json", "flavors-evidence.jsonl"] {
        assert!(published(&project, "lake", file).is_file(), "{file}");
    }
    for page in ["docs/evaluation-results.md", "docs/dataset-complexity-report.md", "docs/results/README.md"] {
        project.ragsql(&["report", "--verify", page]).ends_with(0);
    }
    assert!(project.read("docs/results/README.md").contains("live-2026-07-17-lake/live-2026-07-17-lake-matrix.json"));
    project.ragsql(&["report"]).ends_with(0);
}

#[test]
fn the_catalogue_names_the_files_and_is_otherwise_the_same() {
    let project = judged();
    let before = project.read("compare/datasets.yaml");
    ladder(&project, &[])
        .ends_with(0)
        .complains("docs/evaluation-results.md waits for more: measured dataset `harbour` names no flavor evaluation");
    let after = project.read("compare/datasets.yaml");
    let key = "    matrix_snapshot: docs/results/live-2026-07-17-harbour/live-2026-07-17-harbour-matrix.json\n";
    assert!(after.contains(key), "{after}");
    let own: String = after.split_inclusive('\n').filter(|line| !line.contains("-harbour/live-")).collect();
    let (kept, lake) = own.split_once("questions_file: demo/lake.yaml, matrix_snapshot: ").expect("lake is named");
    let rest = lake.split_once('}').expect("its braces are closed").1;
    assert_eq!(format!("{kept}questions_file: demo/lake.yaml}}{rest}"), before);
    assert!(project.path("docs/dataset-complexity-report.md").exists());
    assert!(!project.path("docs/evaluation-results.md").exists(), "there is no flavor tier yet");
}

#[test]
fn a_candidate_becomes_measured_and_nothing_else_is_asked() {
    let project = judged();
    ladder(&project, &["--dataset", "marsh"])
        .ends_with(2)
        .complains("dataset `marsh` is a candidate (add --include-candidates to measure it)");
    ladder(&project, &["--dataset", "marsh", "--include-candidates", "--approaches", "hybrid-rag"]).ends_with(0);
    assert_eq!(folders(&project), ["live-2026-07-17-marsh"]);
    assert!(!project.read("compare/datasets.yaml").contains("candidate"));
    let matrix = fs::read_to_string(published(&project, "marsh", "matrix.json")).unwrap();
    assert_eq!(json::parse_strict(&matrix).unwrap()["models"][0], "hybrid-rag");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panel_that_is_switched_off_keeps_nothing_from_being_published() {
    let project = unjudged();
    let gateway = willing().await;
    let told = ladder(&project, &["--gateway", &gateway.url]).ends_with(0);
    assert!(told.out.contains("0/0       -  -"), "{}", told.out);
    let judgments = fs::read_to_string(published(&project, "harbour", "judgments.json")).unwrap();
    assert_eq!(json::parse_strict(&judgments).unwrap()["status"], "disabled");
    let summary = fs::read_to_string(published(&project, "harbour", "evaluation.json")).unwrap();
    assert_eq!(json::parse_strict(&summary).unwrap()["datasets"]["harbour"]["judge_panel"]["status"], "disabled");
}
