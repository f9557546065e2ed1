//! Run and question pages, with the answers that models really give.

use crate::warehouse::rows::{failed_row, lines, row};
use ragsql::report::page::Pages;
use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{Keep, Tail, Warehouse};
use serde_json::{Value, json};

/// A warehouse of these rows, and the folder its files lie in.
pub fn warehouse_of<'a>(
    catalogue: &'a Catalogue,
    rows: &[Value],
    judgments: Option<Value>,
) -> (tempfile::TempDir, Warehouse<'a>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("harbour.jsonl");
    std::fs::write(&path, lines(rows)).unwrap();
    let warehouse = Warehouse::in_memory(catalogue).unwrap();
    warehouse.ingest_evidence(&path, Tail::Take, Keep::Everything).unwrap();
    if let Some(judgments) = judgments {
        let path = folder.path().join("harbour-judgments.json");
        std::fs::write(&path, judgments.to_string()).unwrap();
        warehouse.ingest_judgments(&path, None).unwrap();
    }
    (folder, warehouse)
}

fn judgments() -> Value {
    json!({"status": "ok", "dataset_id": "harbour", "judges": ["judge-a", "judge-b"], "queries": [{
        "query_id": "q1",
        "per_judge": {
            "judge-a": {"scores": {"tide": 4.0, "current": 2.0}, "best": "tide", "reason": "Tide | answers\nit."},
            "judge-b": {"error": "no valid verdict"},
        },
        "mean_by_approach": {"tide": 4.0, "current": 2.0},
    }]})
}

/// Paths and texts of the pages of all runs and questions.
pub fn all(warehouse: &Warehouse) -> Vec<(String, String)> {
    let pages = Pages::load(None).unwrap();
    let mut site = pages.render(warehouse, "run", &[]).unwrap();
    site.extend(pages.render(warehouse, "question", &[]).unwrap());
    site
}

/// The text of the page at a path.
pub fn page<'a>(site: &'a [(String, String)], path: &str) -> &'a str {
    let found = site.iter().find(|(known, _)| known == path);
    &found.unwrap_or_else(|| panic!("no {path} among {:?}", site.iter().map(|(path, _)| path).collect::<Vec<_>>())).1
}

#[test]
fn a_run_page_leads_to_questions_that_show_why() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let rows = [row("q1", "tide", json!(0.5)), failed_row("q1", "current", "timeout"), row("q2", "tide", Value::Null)];
    let (_folder, warehouse) = warehouse_of(&catalogue, &rows, Some(judgments()));
    let site = all(&warehouse);
    assert_eq!(site.len(), 3);
    let run = page(&site, "runs/r1/README.md");
    for line in [
        "3 cells on 1 dataset with 2 approaches: 2 answered, 0 failed, 1 out of time.",
        "| 1 | harbour | [q1](harbour-q1.md) | current | timeout | 100 ms | faithfulness - (cell\\_timeout)",
        "| 1 | harbour | [q1](harbour-q1.md) | tide | ok | 100 ms | faithfulness 0.500 | 4.00 (1/2) | - |",
        "faithfulness - (score_missing_or_null) | not judged | - |",
    ] {
        assert!(run.contains(&line.replace("\\_", "_")), "no `{line}` in\n{run}");
    }
    let question = page(&site, "runs/r1/harbour-q1.md");
    for line in [
        "| judge-a | scored | 4.0 | yes | Tide \\| answers<br>it. |",
        "Judge `judge-b` gave no usable verdict: no valid verdict",
        "No answer: timeout, ReadTimeout.",
        "1. timetable (score 0.500): Ferries leave at noon.",
        "| faithfulness | not_run | - | cell_timeout |",
        "```text\nAt noon.\n```",
    ] {
        assert!(question.contains(line), "no `{line}` in\n{question}");
    }
    assert!(question.contains("- file `harbour.jsonl`, SHA-256 `"));
    assert!(!question.contains("/tmp/"), "a path of this machine is on the page");
}

#[test]
fn hostile_text_shows_as_text_in_every_position() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let mut hostile = row("../<q>|`x`", "a\"onmouseover=\"x", json!(0.5));
    hostile["run_id"] = "<img src=x onerror=alert(1)>".into();
    hostile["dataset"]["id"] = "_d_*e*".into();
    hostile["evidence"]["answer"] =
        "<script>alert(1)</script>\n```\n# heading\n[x](javascript:void(0)) \u{1b}[2J\u{202e}| a | b |".into();
    hostile["evidence"]["sources"] = json!([
        {"title": "<svg/onload=1>", "snippet": "left | right\n| fake | row |", "score": null}
    ]);
    let (_folder, warehouse) = warehouse_of(&catalogue, &[hostile], None);
    let site = all(&warehouse);
    let run = page(&site, "runs/img-src-x-onerror-alert-1/README.md");
    assert!(run.starts_with("# Run &lt;img src=x onerror=alert(1)&gt;\n"), "{run}");
    let question = &site.iter().find(|(path, _)| !path.ends_with("README.md")).unwrap().1;
    let fence = "````text\n<script>alert(1)</script>\n```\n# heading\n[x](javascript:void(0)) \u{241b}[2J(U+202E)| a | b |\n````";
    assert!(question.contains(fence), "{question}");
    let outside = question.replace(fence, "");
    assert!(!outside.contains("<script") && !outside.contains("<svg"), "{outside}");
    assert!(outside.contains("&lt;svg/onload=1&gt;"));
    assert!(outside.contains("left \\| right<br>\\| fake \\| row \\|"));
    assert!(outside.contains("\\_d\\_\\*e\\*"));
    assert!(!outside.contains("\u{1b}") && !outside.contains("\u{202e}"));
}

#[test]
fn f4_f6_markup_is_shown_to_the_letter_and_breaks_no_table_and_no_link() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let mut marked = row("q1", "b`tick", json!(0.5));
    marked["evidence"]["answer"] = "<plan>look up</plan>Noon & later".into();
    let mut piped = row("q1", "pipe", json!(0.5));
    piped["evidence"]["answer"] = "left | right\n| fake | row |".into();
    piped["evidence"]["sources"] = json!([{"title": "[x](javascript:void(0))", "snippet": "s", "score": null}]);
    let (_folder, warehouse) = warehouse_of(&catalogue, &[marked, piped], None);
    let site = all(&warehouse);
    let question = page(&site, "runs/r1/harbour-q1.md");
    assert!(question.contains("```text\n<plan>look up</plan>Noon & later\n```"), "{question}");
    let side_by_side: Vec<&str> = question.lines().filter(|line| line.contains("| ok |")).collect();
    assert_eq!(side_by_side.len(), 2, "one row of the table for each answer: {question}");
    assert!(side_by_side[0].starts_with("| b\\`tick |"), "{}", side_by_side[0]);
    assert!(side_by_side[0].contains("&lt;plan&gt;look up&lt;/plan&gt;Noon &amp; later"), "{}", side_by_side[0]);
    assert!(side_by_side[1].contains("left \\| right<br>\\| fake \\| row \\|"), "{}", side_by_side[1]);
    assert!(question.contains("1. \\[x\\](javascript:void(0)) (score -): s"), "{question}");
}

#[test]
fn huge_answers_are_cut_between_characters_and_say_so() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let mut token = row("q1", "token", json!(0.5));
    token["evidence"]["answer"] = "a".repeat(6_000_000).into();
    let mut families = row("q1", "families", json!(0.5));
    let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
    families["evidence"]["answer"] = family.repeat(3000).into();
    let mut marks = row("q1", "marks", json!(0.5));
    marks["evidence"]["answer"] = format!("e{}", "\u{301}".repeat(100_000)).into();
    let (_folder, warehouse) = warehouse_of(&catalogue, &[token, families, marks], None);
    let site = all(&warehouse);
    let question = page(&site, "runs/r1/harbour-q1.md");
    assert!(question.len() < 100_000, "{} bytes", question.len());
    assert!(question.contains("Cut: the whole answer has 6000000 characters."));
    let shown = question.matches(family).count();
    assert!(shown > 3000 && question.matches('\u{1f468}').count() == shown, "a family was torn apart");
}

#[test]
fn names_that_look_alike_get_files_of_their_own() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let rows = [row("Q 1", "tide", json!(0.5)), row("q-1", "tide", json!(0.5)), row("q_1", "tide", json!(0.5))];
    let (_folder, warehouse) = warehouse_of(&catalogue, &rows, None);
    let site = all(&warehouse);
    let mut paths: Vec<&str> = site.iter().map(|(path, _)| path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        ["runs/r1/README.md", "runs/r1/harbour-q-1--2.md", "runs/r1/harbour-q-1.md", "runs/r1/harbour-q_1.md"]
    );
}

/// The shipped statements with another number of threads.
fn catalogue_with_threads(threads_n: usize) -> Catalogue {
    let project = tempfile::tempdir().unwrap();
    let shipped = Catalogue::embedded(None).unwrap();
    let settings = &shipped.query("engine/settings").unwrap().text;
    let changed = settings.replace("set threads = 2;", &format!("set threads = {threads_n};"));
    assert_ne!(*settings, changed);
    std::fs::create_dir(project.path().join("engine")).unwrap();
    std::fs::write(project.path().join("engine/settings.sql"), changed).unwrap();
    Catalogue::embedded(Some(project.path())).unwrap()
}

#[test]
fn questions_that_are_fetched_part_by_part_have_their_own_answers_on_their_pages() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let rows: Vec<Value> = (0..450)
        .flat_map(|number| ["tide", "current"].map(|approach| (number, approach)))
        .map(|(number, approach)| {
            let mut row = row(&format!("q{number}"), approach, json!(0.5));
            row["evidence"]["answer"] = json!(format!("{approach} says {number}."));
            row
        })
        .collect();
    let (_folder, warehouse) = warehouse_of(&catalogue, &rows, None);
    let site = Pages::load(None).unwrap().render(&warehouse, "question", &[]).unwrap();
    assert_eq!(site.len(), 450);
    for number in 0..450 {
        let text = page(&site, &format!("runs/r1/harbour-q{number}.md"));
        for approach in ["tide", "current"] {
            assert!(text.contains(&format!("```text\n{approach} says {number}.\n```")), "{text}");
        }
        let of_others =
            (0..450).filter(|other| *other != number && text.contains(&format!("tide says {other}."))).count();
        assert_eq!(of_others, 0, "{text}");
    }
}

#[test]
fn any_order_of_rows_and_any_number_of_threads_give_the_same_bytes() {
    let mut rows = Vec::new();
    for question in 0..40 {
        for approach in ["tide", "current", "eddy"] {
            rows.push(row(&format!("q{question}"), approach, json!(f64::from(question) / 7.0)));
        }
    }
    let text_of = |rows: &[Value], threads_n: usize| {
        let catalogue = catalogue_with_threads(threads_n);
        let (_folder, warehouse) = warehouse_of(&catalogue, rows, Some(judgments()));
        let is_file = |line: &str| line.starts_with("- file") || line.starts_with("<li>file");
        let without_files = |text: String| text.lines().filter(|line| !is_file(line)).collect::<String>();
        let mut site = all(&warehouse);
        site.extend(Pages::load(None).unwrap().render(&warehouse, "report.html", &super::html::given()).unwrap());
        site.into_iter().map(|(path, text)| (path, without_files(text))).collect::<Vec<_>>()
    };
    let straight = text_of(&rows, 1);
    rows.reverse();
    rows.swap(3, 77);
    assert_eq!(text_of(&rows, 8), straight);
    assert_eq!(text_of(&rows, 3), straight);
}
