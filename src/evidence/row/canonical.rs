//! A row straight into its canonical line.
//!
//! Gives what `serde_json::to_value` and `json::canonical` would give together, without building the value: at a
//! thousand cells per second that value was the largest part of storing a row. Every shape is taken apart whole, so a
//! new field does not compile until it has its place here.

use super::{Evidence, Metrics, Operational, Reproducibility, Row, RowApproach, RowDataset, RowError, RowQuestion};
use crate::json::{ObjectWriter, WriteError, canonical_object};

impl Row {
    /// Writes the canonical line, without its newline.
    ///
    /// Fails when a number from outside is not finite, or when containers are nested more than `levels` deep.
    pub(in crate::evidence) fn canonical(&self, levels: usize) -> Result<String, WriteError> {
        canonical_object(levels, |object| {
            let Self {
                schema_version,
                runner_version,
                run_id,
                row_id,
                dataset,
                question,
                approach: asked,
                reproducibility: inputs,
                status,
                evidence: found,
                metrics: measured,
                error: failure,
            } = self;
            object.object("approach", |object| approach(object, asked))?;
            object.object("dataset", |object| self::dataset(object, dataset))?;
            match failure {
                Some(failure) => object.object("error", |object| error(object, failure))?,
                None => object.null("error"),
            }
            object.object("evidence", |object| evidence(object, found))?;
            object.object("metrics", |object| metrics(object, measured))?;
            object.object("question", |object| self::question(object, question))?;
            object.object("reproducibility", |object| reproducibility(object, inputs))?;
            object.text("row_id", row_id);
            object.text("run_id", run_id);
            object.integer("runner_version", u64::from(*runner_version));
            object.integer("schema_version", u64::from(*schema_version));
            object.text("status", status.as_str());
            Ok(())
        })
    }
}

fn approach(object: &mut ObjectWriter, approach: &RowApproach) -> Result<(), WriteError> {
    let RowApproach { model, base_model, flavor, evidence_capability, requires_reingest, provider } = approach;
    object.text("base_model", base_model);
    object.text("evidence_capability", evidence_capability);
    object.text("flavor", flavor);
    object.text("model", model);
    object.text("provider", provider);
    object.boolean("requires_reingest", *requires_reingest);
    Ok(())
}

fn dataset(object: &mut ObjectWriter, dataset: &RowDataset) -> Result<(), WriteError> {
    let RowDataset { id, label, complexity_level, questions_file, corpus_path } = dataset;
    object.integer("complexity_level", u64::from(*complexity_level));
    object.text("corpus_path", corpus_path);
    object.text("id", id);
    object.text("label", label);
    object.text("questions_file", questions_file);
    Ok(())
}

fn error(object: &mut ObjectWriter, error: &RowError) -> Result<(), WriteError> {
    let RowError { kind, message } = error;
    object.text("message", message);
    object.text("type", kind);
    Ok(())
}

fn evidence(object: &mut ObjectWriter, evidence: &Evidence) -> Result<(), WriteError> {
    let Evidence {
        answer,
        raw_content,
        contexts,
        sources,
        token_usage,
        server_metrics,
        response_id,
        response_model,
        transport,
        approach_metadata,
    } = evidence;
    object.text("answer", answer);
    if !approach_metadata.is_empty() {
        object.map("approach_metadata", approach_metadata)?;
    }
    object.texts("contexts", contexts)?;
    object.text("raw_content", raw_content);
    object.value("response_id", response_id)?;
    object.value("response_model", response_model)?;
    object.map_or_null("server_metrics", server_metrics.as_ref())?;
    object.values("sources", sources)?;
    object.map("token_usage", token_usage)?;
    object.text_or_null("transport", transport.as_deref());
    Ok(())
}

fn metrics(object: &mut ObjectWriter, metrics: &Metrics) -> Result<(), WriteError> {
    let Metrics { operational: measured, ragas, judge_panel } = metrics;
    object.map("judge_panel", judge_panel)?;
    object.object("operational", |object| operational(object, measured))?;
    object.map("ragas", ragas)
}

fn operational(object: &mut ObjectWriter, operational: &Operational) -> Result<(), WriteError> {
    let Operational { latency_ms, attempts, token_usage, server } = operational;
    object.integer("attempts", u64::from(*attempts));
    object.integer("latency_ms", *latency_ms);
    if let Some(server) = server {
        object.map_or_null("server", server.as_ref())?;
    }
    if let Some(token_usage) = token_usage {
        object.map("token_usage", token_usage)?;
    }
    Ok(())
}

fn question(object: &mut ObjectWriter, question: &RowQuestion) -> Result<(), WriteError> {
    let RowQuestion { id, query, ground_truth, rationale, expect_winner } = question;
    object.text_or_null("expect_winner", expect_winner.as_deref());
    object.text_or_null("ground_truth", ground_truth.as_deref());
    object.text("id", id);
    object.text("query", query);
    object.text_or_null("rationale", rationale.as_deref());
    Ok(())
}

fn reproducibility(object: &mut ObjectWriter, inputs: &Reproducibility) -> Result<(), WriteError> {
    let Reproducibility { seed, config_hashes, ingestion, runtime } = inputs;
    object.map("config_hashes", config_hashes)?;
    object.map("ingestion", ingestion)?;
    object.map("runtime", runtime)?;
    object.text("seed", seed);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::row::Status;
    use crate::json;
    use serde_json::{Map, Value, json};

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    fn full() -> Row {
        let free = map(json!({"z": [1, -0.0, 1e-7, {"b": null, "a": "é\u{1}\u{2028}\"\\"}], "a": true, "é": {}}));
        let text = "line\nquote\" back\\slash \u{7f}\u{1f50e}".to_owned();
        Row {
            schema_version: 1,
            runner_version: 1,
            run_id: text.clone(),
            row_id: "x".to_owned(),
            dataset: RowDataset {
                id: "d".to_owned(),
                label: text.clone(),
                complexity_level: 3,
                questions_file: "/q.yaml".to_owned(),
                corpus_path: "/c".to_owned(),
            },
            question: RowQuestion {
                id: "q".to_owned(),
                query: text.clone(),
                ground_truth: Some(text.clone()),
                rationale: Some(String::new()),
                expect_winner: Some("m".to_owned()),
            },
            approach: RowApproach {
                model: "m".to_owned(),
                base_model: "b".to_owned(),
                flavor: "f".to_owned(),
                evidence_capability: "answer_only".to_owned(),
                requires_reingest: true,
                provider: "embedded".to_owned(),
            },
            reproducibility: Reproducibility {
                seed: "s".to_owned(),
                config_hashes: free.clone(),
                ingestion: free.clone(),
                runtime: free.clone(),
            },
            status: Status::Ok,
            evidence: Evidence {
                answer: text.clone(),
                raw_content: text.clone(),
                contexts: vec![text.clone(), String::new()],
                sources: vec![json!({"title": "t", "snippet": text, "score": 0.30000000000000004}), Value::Null],
                token_usage: free.clone(),
                server_metrics: Some(free.clone()),
                response_id: json!("r"),
                response_model: json!({"b": 1, "a": 2}),
                transport: Some("structured".to_owned()),
                approach_metadata: free.clone(),
            },
            metrics: Metrics {
                operational: Operational {
                    latency_ms: u64::MAX,
                    attempts: 3,
                    token_usage: Some(free.clone()),
                    server: Some(Some(free.clone())),
                },
                ragas: free.clone(),
                judge_panel: free,
            },
            error: None,
        }
    }

    #[test]
    fn every_kind_of_row_has_the_bytes_of_the_general_writer() {
        let mut rows = vec![full()];
        for status in [Status::Ok, Status::Error, Status::Timeout] {
            let mut row = full();
            row.status = status;
            row.error = Some(RowError { kind: "ReadTimeout".to_owned(), message: "a\tb".to_owned() });
            row.evidence = Evidence::empty();
            row.metrics.operational.token_usage = None;
            row.metrics.operational.server = None;
            rows.push(row);
        }
        let mut sparse = full();
        sparse.metrics.operational.server = Some(None);
        sparse.evidence.server_metrics = None;
        sparse.evidence.contexts.clear();
        sparse.question.ground_truth = None;
        sparse.question.expect_winner = None;
        sparse.approach.requires_reingest = false;
        rows.push(sparse);
        for row in rows {
            let value = serde_json::to_value(&row).expect("a row is a value");
            assert_eq!(row.canonical(usize::MAX), json::canonical(&value));
        }
    }

    #[test]
    fn nesting_is_counted_from_the_row() {
        let mut row = full();
        row.evidence.sources = vec![json!([[[[1]]]])];
        // Row, evidence, sources, and the four lists: deeper than anything else in it.
        assert!(row.canonical(7).is_ok());
        assert_eq!(row.canonical(6), Err(WriteError::TooDeep(6)));
        row.evidence.response_id = serde_json::from_str("1e999").expect("digits are kept");
        assert_eq!(row.canonical(7), Err(WriteError::NotFinite("1e+999".to_owned())));
    }
}
