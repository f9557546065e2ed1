//! The row of one cell: what was planned, beside what was measured. Pure. Source: `contract/evaluation.md` section 2.1.

use super::cell::RunConfig;
use super::event::CellName;
use crate::evidence::row::{
    Evidence, Metrics, Operational, RUNNER_VERSION, Row, RowApproach, RowDataset, RowError, RowQuestion,
    SCHEMA_VERSION, Status,
};
use crate::experiment::plan::Cell;
use crate::scoring;
use serde_json::{Map, Value};
use std::path::Path;

/// What running a cell brought.
pub(super) struct Measured {
    /// Wall time over all attempts.
    pub latency_ms: u64,
    /// Calls made.
    pub attempts: u32,
    /// Evidence with its `metrics.ragas`, or how and why there is none.
    pub result: Result<(Evidence, Map<String, Value>), (Status, RowError)>,
}

/// Puts the row together.
pub(super) fn row(config: &RunConfig, cell: &Cell, name: &CellName, measured: Measured) -> Row {
    let (dataset, question, profile) = (&cell.dataset, &cell.question, &cell.profile);
    let Measured { latency_ms, attempts, result } = measured;
    let judge = if config.judge_panel_enabled { "pending" } else { "disabled" };
    let judge_panel = Map::from_iter([("status".to_owned(), Value::from(judge))]);
    let (status, evidence, metrics, error) = match result {
        Ok((evidence, ragas)) => {
            let token_usage = Some(evidence.token_usage.clone());
            let server = Some(evidence.server_metrics.clone());
            let operational = Operational { latency_ms, attempts, token_usage, server };
            (Status::Ok, evidence, Metrics { operational, ragas, judge_panel }, None)
        }
        Err((status, error)) => {
            let operational = Operational { latency_ms, attempts, token_usage: None, server: None };
            let metrics = Metrics { operational, ragas: scoring::not_run(), judge_panel };
            (status, Evidence::empty(), metrics, Some(error))
        }
    };
    Row {
        schema_version: SCHEMA_VERSION,
        runner_version: RUNNER_VERSION,
        run_id: config.run_id.clone(),
        row_id: name.row_id.clone(),
        dataset: RowDataset {
            id: dataset.id.clone(),
            label: dataset.label.clone(),
            complexity_level: dataset.complexity_level,
            questions_file: text_of(&dataset.questions_file),
            corpus_path: text_of(&dataset.corpus_path),
        },
        question: RowQuestion {
            id: question.id.clone(),
            query: question.query.clone(),
            ground_truth: question.ground_truth.clone(),
            rationale: question.rationale.clone(),
            expect_winner: question.expect_winner.clone(),
        },
        approach: RowApproach {
            model: profile.alias.clone(),
            base_model: profile.base.clone(),
            flavor: profile.flavor.clone(),
            evidence_capability: cell.capability.as_str().to_owned(),
            requires_reingest: profile.requires_reingest,
            provider: config.asking(&profile.alias).provider.clone(),
        },
        reproducibility: config.reproducibility.clone(),
        status,
        evidence,
        metrics,
        error,
    }
}

fn text_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
