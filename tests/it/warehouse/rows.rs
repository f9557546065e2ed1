//! Evidence lines in our own words, for the cases of this room.

use serde_json::{Value, json};

/// An answered cell with one score.
pub fn row(question: &str, approach: &str, score: Value) -> Value {
    json!({
        "schema_version": 1, "runner_version": 1, "run_id": "r1", "row_id": format!("{question}/{approach}"),
        "status": "ok", "error": null,
        "dataset": {"id": "harbour", "label": "Harbour notes", "complexity_level": 1},
        "question": {"id": question, "query": "When does the ferry leave?", "ground_truth": null},
        "approach": {"model": approach, "base_model": approach, "flavor": "default", "requires_reingest": false},
        "reproducibility": {"seed": "s", "config_hashes": {}, "ingestion": {}, "runtime": {}},
        "evidence": {
            "answer": "At noon.", "transport": "structured", "token_usage": {"total_tokens": 12},
            "sources": [{"title": "timetable", "snippet": "Ferries leave at noon.", "score": 0.5}],
            "server_metrics": {"chunks": 1, "llm_calls": 1},
        },
        "metrics": {
            "operational": {"latency_ms": 100, "attempts": 1},
            "ragas": {"status": "ok", "requested": ["faithfulness"], "scores": {"faithfulness": score}},
            "judge_panel": {"status": "pending"},
        },
    })
}

/// A cell whose call failed.
pub fn failed_row(question: &str, approach: &str, status: &str) -> Value {
    let mut value = row(question, approach, Value::Null);
    value["status"] = status.into();
    value["error"] = json!({"type": "ReadTimeout", "message": "no answer"});
    value["evidence"] = json!({"answer": "", "sources": [], "transport": null});
    value["metrics"]["ragas"] = json!({"status": "not_run", "requested": [], "scores": {}});
    value
}

/// The lines of an evidence file.
pub fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| ragsql::json::canonical(row).unwrap() + "\n").collect()
}
