//! The compatibility matrix against the ones the earlier system wrote.

use super::summary::shared;
use ragsql::json::{canonical, compact, parse_strict};
use ragsql::report::Error;
use ragsql::report::matrix::{Matrix, MatrixModel, MatrixQuery, cell, write_matrix};
use serde_json::{Value, json};

fn failed() -> Value {
    json!({
        "status": "timeout", "question": {"id": "q1"}, "error": {"type": "ReadTimeout", "message": "slow"},
        "approach": {"model": "heron", "base_model": "heron", "flavor": "default", "requires_reingest": false},
        "metrics": {"operational": {"latency_ms": 2250}},
    })
}

#[test]
fn a_failed_cell_carries_its_error_and_seconds_are_rounded_half_to_even() {
    for (latency_ms, text) in
        [(250, "0.2"), (2250, "2.2"), (2350, "2.4"), (150, "0.1"), (50, "0.1"), (44950, "45.0"), (0, "0.0")]
    {
        let mut row = failed();
        row["metrics"]["operational"]["latency_ms"] = latency_ms.into();
        let expected = format!(
            "{{\"query_id\":\"q1\",\"model\":\"heron\",\"base_model\":\"heron\",\"flavor\":\"default\",\
             \"requires_reingest\":false,\"ok\":false,\"latency_s\":{text},\"error\":\"ReadTimeout: slow\"}}"
        );
        assert_eq!(compact(&cell(&row)).unwrap(), expected);
    }
}

#[test]
fn the_whole_file_reads_back_with_its_keys_in_order() {
    let model = MatrixModel { model: "heron".into(), base_model: "heron".into(), ..MatrixModel::default() };
    let query = MatrixQuery { id: "q1".into(), query: "Where?\nWhen?".into(), ..MatrixQuery::default() };
    let matrix = Matrix { models: vec![model], queries: vec![query], run_id: "r".into(), ..Matrix::default() };
    for rows in [vec![], vec![failed()], vec![failed(), failed()]] {
        let mut out = Vec::new();
        write_matrix::<Error>(&mut out, &matrix, rows.iter().cloned().map(Ok)).unwrap();
        let text = String::from_utf8(out).unwrap();
        let value = parse_strict(&text).unwrap();
        assert_eq!(ragsql::json::pretty(&value).unwrap() + "\n", text);
        let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
        let expected = "base models model_profiles queries_file run_id dataset_id canonical_rows_file \
            evaluation_summary_file queries runtime cells ingestion";
        assert_eq!(keys, expected.split_whitespace().collect::<Vec<_>>());
        assert_eq!(value["cells"].as_array().unwrap().len(), rows.len());
    }
}

#[test]
fn published_cells_are_rebuilt_from_their_evidence() {
    let Some(folder) = shared("data/rag-showcase/results") else { return };
    for stem in ["live-2026-07-17-graph_native", "live-2026-07-17-baseline_curated-flavors"] {
        let read = |suffix: &str| std::fs::read_to_string(folder.join(format!("{stem}{suffix}"))).unwrap();
        let rebuilt: Vec<String> = read("-evidence.jsonl")
            .split_terminator('\n')
            .map(|line| canonical(&cell(&parse_strict(line).unwrap())).unwrap())
            .collect();
        let published = parse_strict(&read("-matrix.json")).unwrap();
        let published: Vec<String> =
            published["cells"].as_array().unwrap().iter().map(|cell| canonical(cell).unwrap()).collect();
        assert_eq!(published.len(), rebuilt.len());
        for cell in &published {
            assert!(rebuilt.contains(cell), "{cell}");
        }
    }
}
