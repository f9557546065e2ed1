//! Warehouses from a few numbers, and comparison within 1e-9.

use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{Parameter, Row, Table, Tail, Value as Cell, Warehouse};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

pub const TOLERANCE: f64 = 1e-9;

/// The vectors of the contract; nothing when the folder beside the checkout is not there.
pub fn vectors(file: &str) -> Option<Value> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/contract")).join(file);
    let text = std::fs::read_to_string(&path);
    println!("{}: {}", path.display(), if text.is_ok() { "used" } else { "absent, own numbers only" });
    text.ok().map(|text| ragsql::json::parse_strict(&text).unwrap())
}

/// Evidence rows that are built cell by cell.
#[derive(Default, Clone)]
pub struct Cells(pub Vec<Value>);

impl Cells {
    /// Adds an answered cell of dataset `harbour`, level 1.
    pub fn ok(&mut self, question: &str, approach: &str) -> &mut Value {
        self.at("harbour", 1, question, approach)
    }

    /// Adds an answered cell.
    pub fn at(&mut self, dataset: &str, level: i64, question: &str, approach: &str) -> &mut Value {
        self.0.push(json!({
            "schema_version": 1, "runner_version": 1, "run_id": "r1",
            "row_id": format!("{dataset}/{question}/{approach}"),
            "status": "ok", "error": null,
            "dataset": {"id": dataset, "label": dataset, "complexity_level": level},
            "question": {"id": question, "query": format!("What of {question}?"), "ground_truth": "So."},
            "approach": {"model": approach, "base_model": approach, "flavor": "default", "requires_reingest": false,
                "evidence_capability": "answer_with_contexts"},
            "reproducibility": {"seed": "s", "config_hashes": {}, "ingestion": {}, "runtime": {}},
            "evidence": {"answer": "At noon.", "transport": "structured", "token_usage": {}, "sources": [],
                "server_metrics": {}},
            "metrics": {
                "operational": {"latency_ms": 100, "attempts": 1},
                "ragas": {"status": "ok", "requested": [], "scores": {}},
                "judge_panel": {"status": "pending"},
            },
        }));
        self.0.last_mut().unwrap()
    }

    /// Adds scores of one metric, one question each (`q1`, `q2`, ...); null is a score that failed.
    pub fn scores(&mut self, dataset: &str, level: i64, approach: &str, metric: &str, scores: &[Option<f64>]) {
        for (number, score) in (1..).zip(scores) {
            let cell = self.at(dataset, level, &format!("q{number:03}"), approach);
            set_score(cell, metric, *score);
        }
    }

    /// The lines of an evidence file, in the order given or another that the number picks.
    pub fn lines(&self, shuffle: u64) -> String {
        let mut rows: Vec<&Value> = self.0.iter().collect();
        let mut state = shuffle;
        for index in (1..rows.len()).rev().filter(|_| shuffle > 0) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            rows.swap(index, usize::try_from(state >> 33).unwrap() % (index + 1));
        }
        rows.into_iter().map(|row| ragsql::json::canonical(row).unwrap() + "\n").collect()
    }
}

/// Sets one score of a cell; null stands for one that could not be read.
pub fn set_score(cell: &mut Value, metric: &str, score: Option<f64>) {
    let ragas = &mut cell["metrics"]["ragas"];
    ragas["requested"].as_array_mut().unwrap().push(metric.into());
    ragas["scores"][metric] = json!(score);
    if score.is_none() {
        ragas["metric_errors"][metric] = "evaluator_parse".into();
    }
}

/// Turns a cell into one that failed.
pub fn fail(cell: &mut Value, status: &str) {
    cell["status"] = status.into();
    cell["error"] = json!({"type": "ReadTimeout", "message": "no answer"});
    cell["evidence"] = json!({"answer": "", "sources": [], "transport": null});
    cell["metrics"]["ragas"] = json!({"status": "not_run", "requested": [], "scores": {}});
}

/// An empty warehouse in memory with this many threads.
pub fn warehouse(threads: usize) -> Warehouse<'static> {
    let folder = tempfile::tempdir().unwrap();
    let shipped = Catalogue::embedded(None).unwrap();
    let settings = &shipped.query("engine/settings").unwrap().text;
    let changed = settings.replace("set threads = 2;", &format!("set threads = {threads};"));
    assert!(threads == 2 || changed != *settings);
    std::fs::create_dir(folder.path().join("engine")).unwrap();
    std::fs::write(folder.path().join("engine/settings.sql"), changed).unwrap();
    // The warehouse borrows its statements; those of a test live as long as the test binary.
    let catalogue: &'static Catalogue = Box::leak(Box::new(Catalogue::embedded(Some(folder.path())).unwrap()));
    Warehouse::in_memory(catalogue).unwrap()
}

/// Ingests cells as an evidence file.
pub fn ingest(warehouse: &Warehouse, cells: &Cells, shuffle: u64) {
    write_and(&cells.lines(shuffle), "evidence.jsonl", |path| {
        warehouse.ingest_evidence(path, Tail::Take, ragsql::warehouse::Keep::Everything).unwrap();
    });
}

/// Writes a file for the time of one call.
pub fn write_and<T>(text: &str, name: &str, work: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    work(&path)
}

/// A warehouse with these cells.
pub fn loaded(cells: &Cells) -> Warehouse<'static> {
    let warehouse = warehouse(2);
    ingest(&warehouse, cells, 0);
    warehouse
}

/// Runs a statement.
pub fn ask(warehouse: &Warehouse, name: &str, values: &[(&str, Parameter)]) -> Table {
    warehouse.query(name, values).unwrap_or_else(|error| panic!("{error}"))
}

/// The one row in which these columns hold these texts.
pub fn row<'table>(table: &'table Table, keys: &[(&str, &str)]) -> &'table Row {
    let matches = |row: &&Row| keys.iter().all(|(column, text)| row.value(column).unwrap().to_string() == *text);
    let found: Vec<&Row> = table.rows.iter().filter(matches).collect();
    assert_eq!(found.len(), 1, "{keys:?} in {}", show(table));
    found[0]
}

/// A number of a row, whatever its SQL type.
pub fn number(row: &Row, column: &str) -> Option<f64> {
    match row.value(column).unwrap() {
        Cell::Float(number) => Some(*number),
        Cell::Integer(number) => Some(*number as f64),
        Cell::Null => None,
        other => panic!("{column} is {other}"),
    }
}

/// Compares a column with a vector within 1e-9; null only equals null.
pub fn assert_near(row: &Row, column: &str, expected: &Value) {
    let (found, expected) = (number(row, column), expected.as_f64());
    let is_near = match (found, expected) {
        (Some(found), Some(expected)) => (found - expected).abs() <= TOLERANCE * expected.abs().max(1.0),
        (None, None) => true,
        _ => false,
    };
    assert!(is_near, "{column}: found {found:?}, expected {expected:?} in {:?}", row.values);
}

/// All rows as text, for messages and for comparing whole results.
pub fn show(table: &Table) -> String {
    let line = |row: &Row| row.values.iter().map(ToString::to_string).collect::<Vec<_>>().join("\t");
    table.rows.iter().map(|row| line(row) + "\n").collect()
}

/// Asserts that a statement answers the same, digit by digit, for shuffled rows and on 1, 2 and 8 threads.
pub fn assert_steady(cells: &Cells, prepare: impl Fn(&Warehouse), statements: &[(&str, &[(&str, Parameter)])]) {
    // Each turn writes its files into another folder, which is no part of the answer.
    let folder = regex::Regex::new(r"[^\s]*[/\\]").unwrap();
    let mut first: Option<Vec<String>> = None;
    for (threads, shuffle) in [(2, 0), (1, 1), (2, 2), (8, 3)] {
        let warehouse = warehouse(threads);
        ingest(&warehouse, cells, shuffle);
        prepare(&warehouse);
        let answers: Vec<String> = statements
            .iter()
            .map(|(name, values)| folder.replace_all(&show(&ask(&warehouse, name, values)), "").into_owned())
            .collect();
        assert!(answers.iter().all(|answer| !answer.is_empty()));
        match &first {
            None => first = Some(answers),
            Some(first) => assert_eq!(first, &answers, "{threads} threads, order {shuffle}"),
        }
    }
}

/// A map of texts to numbers as pairs.
pub fn pairs(map: &Value) -> &Map<String, Value> {
    map.as_object().unwrap()
}
