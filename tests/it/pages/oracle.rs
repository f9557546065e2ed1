//! Leaderboards against numbers that another program computed from the same files.

use super::tree::{oracle, shared, warehouse};
use ragsql::report::leaderboard;
use ragsql::report::page::Pages;
use ragsql::report::site::given;
use serde_json::Value;
use std::path::Path;

fn json(path: &Path) -> Value {
    ragsql::json::parse_strict(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Equal as JSON, but numbers by value: `1.0` and `1` differ, the rest is exact.
fn assert_json(found: &Value, expected: &Value, at: &str) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            let keys =
                |map: &serde_json::Map<String, Value>| map.keys().cloned().collect::<std::collections::BTreeSet<_>>();
            assert_eq!(keys(found), keys(expected), "{at}");
            for (key, value) in expected {
                assert_json(&found[key], value, &format!("{at}.{key}"));
            }
        }
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{at}");
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert_json(found, expected, &format!("{at}[{index}]"));
            }
        }
        _ => assert_eq!(found, expected, "{at}"),
    }
}

#[test]
fn the_oracle_tree_gives_its_aggregates() {
    let Some(folder) = shared("oracle/leaderboards") else { return };
    let warehouse = warehouse(&oracle(folder.join("tree")));
    let found = ragsql::json::parse_strict(&leaderboard::json(&warehouse).unwrap()).unwrap();
    assert_json(&found, &json(&folder.join("expected-leaderboards.json")), "");
}

#[test]
fn every_cell_of_the_four_tables_sorts_and_shows_as_the_oracle_says() {
    let Some(folder) = shared("oracle/leaderboards") else { return };
    let warehouse = warehouse(&oracle(folder.join("tree")));
    let expected = json(&folder.join("expected-cells.json"));
    let columns = warehouse.query("reports/leaderboard_columns@1", &[]).unwrap();
    let cells = warehouse.query("reports/leaderboard_cells@1", &[]).unwrap();
    for (id, key) in [
        ("base-overall", "base/overall"),
        ("base-by-dataset", "base/by-dataset"),
        ("flavor-overall", "flavors/overall"),
        ("flavor-by-dataset", "flavors/by-dataset"),
    ] {
        let of_table = |table: &ragsql::warehouse::Table, names: &[&str]| -> Vec<Vec<String>> {
            let rows = table.rows.iter().filter(|row| row.text("table_id").unwrap() == id);
            rows.map(|row| names.iter().map(|name| row.text(name).unwrap().to_owned()).collect()).collect()
        };
        let headers = of_table(&columns, &["column_key", "sort_type", "sort_direction"]);
        let expected_headers: Vec<Vec<String>> =
            expected[key]["columns"].as_array().unwrap().iter().map(texts).collect();
        assert_eq!(headers, expected_headers, "{id}");
        let rows: Vec<Vec<Vec<String>>> =
            of_table(&cells, &["sort_value", "display"]).chunks(expected_headers.len()).map(<[_]>::to_vec).collect();
        let expected_rows = expected[key]["rows"].as_array().unwrap();
        assert_eq!(rows.len(), expected_rows.len(), "{id}");
        for (row, expected_row) in rows.iter().zip(expected_rows) {
            let expected_row: Vec<Vec<String>> = expected_row.as_array().unwrap().iter().map(texts).collect();
            for ((found, expected), header) in row.iter().zip(&expected_row).zip(&headers) {
                assert_eq!(found, expected, "{id}, {} of {}", header[0], row[1][1]);
            }
        }
    }
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_page_of_the_oracle_tree_shows_the_same_cells() {
    let Some(folder) = shared("oracle/leaderboards") else { return };
    let inputs = oracle(folder.join("tree"));
    let warehouse = warehouse(&inputs);
    let pages = Pages::load(None).unwrap();
    let rendered = pages.render(&warehouse, "evaluation-results", &given(&inputs, "evaluation-results")).unwrap();
    let [(path, page)] = rendered.as_slice() else { panic!("one page") };
    assert_eq!(path, "evaluation-results.md");
    let cell = regex::Regex::new("<td data-sort-value=\"([^\"]*)\">([^<]*)</td>").unwrap();
    let found: Vec<(String, String)> =
        cell.captures_iter(page).map(|found| (found[1].to_owned(), found[2].to_owned())).collect();
    let expected = json(&folder.join("expected-cells.json"));
    let mut wanted = Vec::new();
    for key in ["base/overall", "base/by-dataset", "flavors/overall", "flavors/by-dataset"] {
        for row in expected[key]["rows"].as_array().unwrap() {
            for cell in row.as_array().unwrap() {
                let texts = texts(cell);
                wanted.push((texts[0].clone(), texts[1].clone()));
            }
        }
    }
    assert_eq!(found, wanted);
    assert!(page.ends_with('\n') && page.starts_with("# Oracle: evaluation results\n"));
    if let Some(folder) = std::env::var_os("RAGSQL_TEST_PAGES") {
        std::fs::write(Path::new(&folder).join(path), page).unwrap();
    }
}
