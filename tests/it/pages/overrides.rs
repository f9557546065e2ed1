//! A project adds and replaces statements and pages by dropping files.

use super::runs::warehouse_of;
use crate::warehouse::rows::{failed_row, row};
use ragsql::report::Error;
use ragsql::report::page::{Pages, Verdict};
use ragsql::warehouse::catalogue::{Catalogue, Origin};
use serde_json::json;
use std::path::Path;

/// Writes the files that the worked example shows, and returns how many there were.
fn write_example(project: &Path) -> usize {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/adding-a-metric-and-a-page.md")).unwrap();
    let block = regex::Regex::new(r"(?s)File `([^`]+)`:\n\n```[a-z]+\n(.*?)\n```\n").unwrap();
    for found in block.captures_iter(&text) {
        let path = project.join(&found[1]);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("{}\n", &found[2])).unwrap();
    }
    block.captures_iter(&text).count()
}

#[test]
fn the_worked_example_adds_a_metric_and_a_page_without_rust() {
    let project = tempfile::tempdir().unwrap();
    assert_eq!(write_example(project.path()), 2);
    let catalogue = Catalogue::embedded(Some(&project.path().join("sql"))).unwrap();
    let pages = Pages::load(Some(&project.path().join("templates"))).unwrap();
    let rows = [row("q1", "tide", json!(0.5)), failed_row("q2", "tide", "timeout"), row("q1", "b|ck`", json!(1.0))];
    let (_folder, warehouse) = warehouse_of(&catalogue, &rows, None);
    let rendered = pages.render(&warehouse, "wasted-time", &[]).unwrap();
    assert_eq!(rendered[0].0, "wasted-time.md");
    let page = &rendered[0].1;
    assert!(page.contains("| tide | 2 | 1 | 100 | 50.00% |\n| b\\|ck\\` | 1 | 0 | 0 | 0.00% |\n"), "{page}");
    let hash = &catalogue.query("metrics/wasted_time@1").unwrap().sha256;
    assert!(page.contains(&format!("- query `metrics/wasted_time@1` (project), SHA-256 `{hash}`")), "{page}");

    let listed = pages.list(&catalogue).unwrap();
    let mine = listed.iter().find(|listed| listed.page.name == "wasted-time").unwrap();
    assert!(matches!(mine.page.origin, Origin::Project(_)));
    let names: Vec<&str> = mine.queries.iter().map(|(name, _, _)| name.as_str()).collect();
    assert_eq!(names, ["engine/duckdb", "metrics/wasted_time@1", "staging/cells@1"]);
    assert!(matches!(mine.queries[1].2, Origin::Project(_)));
    assert!(listed.iter().any(|listed| listed.page.name == "run" && listed.page.origin == Origin::Embedded));
}

#[test]
fn a_page_says_whether_it_is_still_what_its_inputs_give() {
    let project = tempfile::tempdir().unwrap();
    write_example(project.path());
    let catalogue = Catalogue::embedded(Some(&project.path().join("sql"))).unwrap();
    let pages = Pages::load(Some(&project.path().join("templates"))).unwrap();
    let rows = [row("q1", "tide", json!(0.5))];
    let (_folder, warehouse) = warehouse_of(&catalogue, &rows, None);
    let page = pages.render(&warehouse, "wasted-time", &[]).unwrap().remove(0).1;
    let verify = |text: &str| pages.verify(&warehouse, "wasted-time", &[], "wasted-time.md", text).unwrap();
    assert_eq!(verify(&page), Verdict::Same);
    let Verdict::Differs(reasons) = verify(&page.replace("| 0 | 0 |", "| 9 | 0 |")) else { panic!("it was edited") };
    assert!(reasons[0].contains("somebody edited it"), "{reasons:?}");

    let file = project.path().join("sql/metrics/wasted_time_v1.sql");
    let changed = std::fs::read_to_string(&file).unwrap().replace("failed_ms desc, cells.approach", "cells.approach");
    std::fs::write(&file, changed).unwrap();
    let catalogue = Catalogue::embedded(Some(&project.path().join("sql"))).unwrap();
    let (_folder, warehouse) = warehouse_of(&catalogue, &rows, None);
    let verdict = pages.verify(&warehouse, "wasted-time", &[], "wasted-time.md", &page).unwrap();
    let Verdict::Differs(reasons) = verdict else { panic!("the statement changed") };
    assert!(reasons.iter().all(|reason| reason.contains("metrics/wasted_time@1")), "{reasons:?}");
    assert_eq!(reasons.len(), 2);
    let gone = pages.verify(&warehouse, "wasted-time", &[], "elsewhere.md", &page).unwrap();
    assert_eq!(gone, Verdict::Gone);
}

#[test]
fn a_page_rests_on_the_parts_that_it_is_laid_out_with_and_on_no_others() {
    let project = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = project.path().join("pages").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("parts/end.md.j2", "the end\n");
    write("parts/unused.md.j2", "nobody\n");
    write("tale.md.j2", "{#\npurpose: A.\noutput: tale.md\n#}\n{% include \"parts/end.md.j2\" %}\n");
    write("tale.html.j2", "{#\npurpose: A.\noutput: tale.html\n#}\n<p>one</p>\n");
    let catalogue = Catalogue::embedded(None).unwrap();
    let (_folder, warehouse) = warehouse_of(&catalogue, &[row("q1", "tide", json!(0.5))], None);
    let given = [("title", "Tale".into())];
    let loaded = || Pages::load(Some(project.path())).unwrap();
    let rendered = |name: &str| loaded().render(&warehouse, name, &given).unwrap().remove(0);
    let (markdown, html) = (rendered("tale"), rendered("tale.html"));
    let changed = |name: &str, page: &(String, String)| match loaded()
        .verify(&warehouse, name, &given, &page.0, &page.1)
        .unwrap()
    {
        Verdict::Same => false,
        Verdict::Differs(reasons) => {
            assert!(reasons.iter().any(|reason| reason.contains("shared parts")), "{reasons:?}");
            true
        }
        Verdict::Gone => panic!("the page is there"),
    };
    let both = || (changed("tale", &markdown), changed("tale.html", &html));
    assert_eq!(both(), (false, false));
    write("parts/unused.md.j2", "still nobody\n");
    assert_eq!(both(), (false, false));
    write("assets/report.css", "p { color: red }\n");
    assert_eq!(both(), (false, true));
    write("parts/end.md.j2", "the very end\n");
    assert_eq!(both(), (true, true));
}

#[test]
fn a_project_template_replaces_the_shipped_one_by_name() {
    let project = tempfile::tempdir().unwrap();
    let folder = project.path().join("pages");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "{#\npurpose: Mine.\noutput: mine.md\n#}\nmine\n";
    std::fs::write(folder.join("run.md.j2"), text).unwrap();
    let pages = Pages::load(Some(project.path())).unwrap();
    let catalogue = Catalogue::embedded(None).unwrap();
    let (_folder, warehouse) = warehouse_of(&catalogue, &[row("q1", "tide", json!(0.5))], None);
    assert!(pages.render(&warehouse, "run", &[]).unwrap()[0].1.starts_with("mine\n"));
    let error = pages.render(&warehouse, "questoin", &[]).unwrap_err();
    assert_eq!(error.to_string(), "no page is called `questoin`; did you mean `question`?");
}

#[test]
fn a_template_that_names_what_is_not_there_is_refused_with_its_line() {
    let project = tempfile::tempdir().unwrap();
    let folder = project.path().join("pages");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("bad.md.j2"), "{#\npurpose: Bad.\noutput: bad.md\n#}\n\n{{ nothing.here }}\n").unwrap();
    let pages = Pages::load(Some(project.path())).unwrap();
    let catalogue = Catalogue::embedded(None).unwrap();
    let (_folder, warehouse) = warehouse_of(&catalogue, &[row("q1", "tide", json!(0.5))], None);
    let error = pages.render(&warehouse, "bad", &[]).unwrap_err();
    assert!(matches!(error, Error::Page { .. }));
    assert!(error.to_string().starts_with("`pages/bad.md.j2`: line 6: "), "{error}");
}
