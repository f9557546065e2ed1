//! The report on datasets of growing complexity says what the numbers show and no more.

use super::tree::{edit, oracle, own, shared, warehouse};
use ragsql::report::page::Pages;
use ragsql::report::site::{SiteInputs, given};
use serde_json::json;

fn page(inputs: &SiteInputs) -> String {
    let warehouse = warehouse(inputs);
    let name = "dataset-complexity-report";
    let mut rendered = Pages::load(None).unwrap().render(&warehouse, name, &given(inputs, name)).unwrap();
    rendered.remove(0).1
}

#[test]
fn rankings_metrics_and_failures_stand_with_their_coverage() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(&own(folder.path()));
    for line in [
        "| 2 | reef | tide | tide 3.75 > current 3.25 |",
        "| 4 | abyss | - | pending: not measured |",
        "tide 0.500 (2/2)",
        "tide 12 ms (2/2)",
        "4/4 successful, 0 errors, 0 timeouts",
        "| reef | q2 | current | current 4.50, tide 3.00 |",
        "- 1 of 2 rungs of the ladder is measured.",
        "- On reef, tide leads the base approaches with 3.75.",
        "- current-deep is last among the flavors on every dataset measured with flavors (1).",
        "- abyss (level 4): [https://example.org/abyss](https://example.org/abyss)",
        "[../demo/reef.yaml](../demo/reef.yaml)",
    ] {
        assert!(page.contains(line), "no `{line}` in\n{page}");
    }
    assert!(!page.contains("graph-rag"));
}

#[test]
fn a_set_with_judgments_alone_stays_readable() {
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = own(folder.path());
    inputs.datasets[1].base.evaluation = None;
    inputs.datasets[1].base.evidence = None;
    inputs.datasets[1].flavors = Default::default();
    edit(folder.path(), "reef-base-judgments.json", |root| {
        root.as_object_mut().unwrap().retain(|key, _| ["judges", "queries"].contains(&key.as_str()));
        root["queries"][0]["per_judge"]["judge-a"]["scores"]["tide"] = json!(4);
    });
    let page = page(&inputs);
    assert!(page.contains("| 2 | reef | tide | tide 3.75 > current 3.25 |"));
    assert!(page.contains("legacy: judgments only, rerun to measure"));
    assert!(page.contains("judgments only: no evaluation was published"));
}

#[test]
fn the_oldest_published_judgments_are_readable() {
    let Some(folder) = shared("data/rag-showcase") else { return };
    let mut inputs = oracle(folder);
    inputs.datasets.truncate(1);
    inputs.datasets[0].base.judgments = Some("results/live-2026-07-01-six-way-judgments.json".to_owned());
    inputs.datasets[0].base.evaluation = None;
    inputs.datasets[0].base.evidence = None;
    inputs.datasets[0].flavors = Default::default();
    let page = page(&inputs);
    assert!(page.contains("legacy: judgments only"), "{page}");
    assert!(page.contains(" > "));
}

#[test]
fn a_link_that_could_run_is_plain_text() {
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = own(folder.path());
    inputs.datasets[0].source_url = Some("javascript:void(0)".to_owned());
    inputs.datasets[1].questions_file = Some("x](javascript:void(0))|<b>".to_owned());
    inputs.datasets[1].graph_nature = Some("left | right\n| fake | row |".to_owned());
    let page = page(&inputs);
    assert!(page.contains("- abyss (level 4): javascript:void(0)\n"), "{page}");
    assert!(page.contains("../x\\](javascript:void(0))\\|&lt;b&gt;"), "{page}");
    assert!(page.contains("| left \\| right<br>\\| fake \\| row \\| |"), "{page}");
}
