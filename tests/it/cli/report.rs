//! `ragsql report`: what goes where, what is refused, and that nothing is replaced by half.

use super::project::Project;
use crate::pages::tree;
use std::fs;

/// Names of the small tree and what this project calls them.
const NAMES: [(&str, &str); 4] = [
    ("tide", "vanilla-rag"),
    ("current", "hybrid-rag"),
    ("tide-fast", "vanilla-rag-fast"),
    ("current-deep", "hybrid-rag-deep"),
];

fn flavor(alias: &str, base: &str, flavor: &str) -> String {
    format!("  - {{alias: {alias}, base: {base}, flavor: {flavor}, label: A flavor, description: d}}\n")
}

/// A project whose published files are those of the small tree.
fn published() -> Project {
    let project = Project::new();
    fs::create_dir_all(project.path("docs/results")).unwrap();
    tree::own(&project.path("docs/results"));
    // A flavors file may name approaches of ours only.
    for entry in fs::read_dir(project.path("docs/results")).unwrap() {
        let path = entry.unwrap().path();
        let mut text = fs::read_to_string(&path).unwrap();
        for (own, shipped) in NAMES {
            text = text.replace(&format!("\"{own}\""), &format!("\"{shipped}\""));
        }
        fs::write(&path, text).unwrap();
    }
    let manifest = project.read("compare/evaluation.yaml");
    project.write(
        "compare/evaluation.yaml",
        &manifest.replace("\x20 - {model: lazy-graph-rag, evidence: answer_with_contexts}\n", ""),
    );
    project.write("compare/flavors.yaml", &format!("flavors:\n{}", flavor("vanilla-rag-fast", "vanilla-rag", "fast")));
    let snapshot = |prefix: &str, stem: &str| {
        ["evaluation:evaluation.json", "judgment:judgments.json", "evidence:evidence.jsonl"]
            .map(|pair| {
                let (kind, file) = pair.split_once(':').unwrap();
                format!("    {prefix}{kind}_snapshot: docs/results/{stem}-{file}\n")
            })
            .concat()
    };
    project.write(
        "compare/datasets.yaml",
        &format!(
            "datasets:\n  - id: reef\n    label: Reef\n    status: measured\n    complexity_level: 2\n    corpus_path: corpus/harbour\n\
             \x20   questions_file: demo/harbour.yaml\n{}{}",
            snapshot("", "reef-base"),
            snapshot("flavor_", "reef-flavor"),
        ),
    );
    project
}

#[test]
fn a_newcomer_gets_the_pages_of_a_run_and_docs_stay_alone() {
    let project = Project::new();
    project.ragsql(&["report"]).ends_with(2).complains("there is no run yet");
    project.ragsql(&["report", "--html", "r.html"]).ends_with(2).complains("there is no run yet");
    project.ragsql(&["run"]).ends_with(0);
    project
        .ragsql(&["report"])
        .ends_with(0)
        .complains("docs was left alone")
        .complains("wrote 4 files below compare/results/pages");
    assert!(!project.path("docs").exists());
    project.ragsql(&["report", "--run", "harbor"]).ends_with(2).complains("runs there are: harbour");
    project.ragsql(&["report", "questoin"]).ends_with(2).complains("did you mean `question`?");
    project
        .ragsql(&["report", "--html", "r.html", "run"])
        .ends_with(2)
        .complains("HTML pages are: evaluation-results.html, report.html");
    project.ragsql(&["report", "run", "--output", "elsewhere"]).ends_with(0).complains("wrote 1 file below elsewhere");
    assert!(project.path("elsewhere/runs/harbour/README.md").exists());
    let hidden = fs::read_dir(project.path("elsewhere")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(hidden.collect::<Vec<_>>(), ["runs"], "the hidden folder is gone");
}

#[test]
fn a_page_is_verified_by_its_file_and_an_edited_one_is_told() {
    let project = Project::new();
    project.ragsql(&["run"]).ends_with(0);
    project.ragsql(&["report", "--html", "r.html"]).ends_with(0).complains("wrote r.html");
    let first = project.read("r.html");
    project.ragsql(&["report", "--html", "r.html"]).ends_with(0);
    assert!(project.read("r.html") == first, "the same evidence gives the same bytes");
    for (zone, locale) in [("Asia/Kolkata", "de_DE.UTF-8"), ("America/St_Johns", "tr_TR.UTF-8"), ("UTC", "C")] {
        let mut command = project.command(&["report", "--html", "r.html"]);
        let done = command.env("TZ", zone).env("LC_ALL", locale).env("LANG", locale).output().unwrap();
        assert!(done.status.success() && project.read("r.html") == first, "{zone} and {locale} give another page");
    }
    let told = project.ragsql(&["report", "--verify", "r.html"]).ends_with(0);
    assert_eq!(told.out, "r.html is what its inputs give\n");
    project.ragsql(&["report"]).ends_with(0);
    let page = "compare/results/pages/runs/harbour/harbour-ferry.md";
    assert_eq!(
        project.ragsql(&["report", "--verify", page]).ends_with(0).out,
        format!("{page} is what its inputs give\n")
    );
    project.write(page, &project.read(page).replace("ferry", "fairy"));
    let told = project.ragsql(&["report", "--verify", page]).ends_with(1);
    assert!(told.out.contains("somebody edited it"), "{}", told.out);
    project.write("note.md", "# A note\n");
    project.ragsql(&["report", "--verify", "note.md"]).ends_with(2).complains("does not end like a page");
}

#[test]
fn published_files_become_the_site_below_docs() {
    let project = published();
    let told = project.ragsql(&["report"]);
    assert_eq!(told.code, 2, "{}", told.err);
    assert!(told.err.contains("hybrid-rag-deep"), "the flavors file lacks one that is published: {}", told.err);
    assert!(!project.path("docs/evaluation-results.md").exists(), "nothing was written");
    project.write(
        "compare/flavors.yaml",
        &(project.read("compare/flavors.yaml") + &flavor("hybrid-rag-deep", "hybrid-rag", "deep")),
    );
    project.write(
        "docs/manifest.yaml",
        "site_name: Reef notes\nsections:\n  - title: Results\n    pages:\n      - {number: 4.2, title: Everything measured, source: evaluation-results.md}\n",
    );
    project.ragsql(&["report"]).ends_with(0).complains("wrote 8 files below docs");
    assert!(project.read("docs/evaluation-results.md").starts_with("# 4.2 Everything measured\n"));
    assert!(project.read("docs/dataset-complexity-report.md").starts_with("# Reef notes: dataset complexity report\n"));
    assert!(project.read("docs/results/README.md").contains("reef-base-evaluation.json"));
    assert!(project.read("docs/leaderboards/base-overall.csv").starts_with("overall-rank,approach,"));
    project.ragsql(&["report", "--verify", "docs/evaluation-results.md"]).ends_with(0);
    project.ragsql(&["report", "evaluation-results", "--html", "board.html"]).ends_with(0);
    assert!(
        project
            .read("board.html")
            .contains("<table class=\"results-table\" id=\"base-by-dataset\" data-filterable=\"true\">")
    );

    let before = project.read("docs/evaluation-results.md");
    tree::edit(project.root(), "docs/results/reef-base-evaluation.json", |value| {
        value["datasets"]["reef"]["approaches"].as_object_mut().unwrap().remove("vanilla-rag");
    });
    project.ragsql(&["report"]).ends_with(2).complains("vanilla-rag");
    assert_eq!(project.read("docs/evaluation-results.md"), before, "a failed report replaced a page");
    let told = project.ragsql(&["report", "--verify", "docs/evaluation-results.md"]);
    assert_eq!(told.code, 2, "{}{}", told.out, told.err);
}

#[test]
fn pages_are_listed_with_their_statements_and_where_each_came_from() {
    let project = Project::new();
    project.write(
        "templates/pages/mine.md.j2",
        "{#\npurpose: Mine.\noutput: mine.md\nquery rows: rankings/board@1\n#}\nmine\n",
    );
    let listed = project.ragsql(&["report", "--list"]).ends_with(0).out;
    for text in [
        "mine\n  Mine.\n  goes to     compare/results/pages/mine.md\n  template    mine.md.j2 ",
        "(templates/pages/mine.md.j2)\n  statement   engine/duckdb ",
        "rankings/board@1 ",
        "goes to     docs/evaluation-results.md",
        "evaluation-results.html\n",
    ] {
        assert!(listed.contains(text), "`{text}` is not in:\n{listed}");
    }
    project.ragsql(&["run"]).ends_with(0);
    project.ragsql(&["report", "mine"]).ends_with(0).complains("wrote 1 file below compare/results/pages");
    assert!(project.read("compare/results/pages/mine.md").starts_with("mine\n"));
}

#[test]
fn a_report_is_made_while_somebody_else_writes_the_warehouse() {
    let project = Project::new();
    project.ragsql(&["run"]).ends_with(0);
    project.ragsql(&["report", "--html", "free.html"]).ends_with(0);
    let catalogue = &tree::CATALOGUE;
    let held =
        ragsql::warehouse::Warehouse::open(&project.path("compare/results/warehouse.duckdb"), catalogue).unwrap();
    project
        .ragsql(&["report", "--html", "busy.html"])
        .ends_with(0)
        .complains("the evidence files themselves are read instead");
    drop(held);
    assert!(project.read("busy.html") == project.read("free.html"), "the copy gave another page");
}
