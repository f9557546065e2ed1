//! The evaluation summary: coverage, means, ranks and judges of one evidence file.
//!
//! Reads the ordered rows of the statements `reports/summary_*`, `rankings/*` and `metrics/judgments_join`; returns JSON
//! and CSV text. Source of the shape: `contract/evaluation.md` section 6.

mod rows;

use super::{Error, Result, csv};
use crate::json;
use crate::warehouse::Warehouse;
use rows::{ApproachRows, ScopeRows};
use serde_json::{Map, Value, json};

/// What a summary covers.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Key of the evidence file, see [`crate::warehouse::file_key`]; null takes every row of the warehouse.
    pub source_file: Option<String>,
    /// Key of the judgments file; null when none were supplied.
    pub judgments_file: Option<String>,
}

/// A summary, read from the warehouse and ready to be written in either form.
#[derive(Debug)]
pub struct Summary {
    runs: Vec<Value>,
    runner_versions: Vec<Value>,
    judges: Judges,
    scopes: Vec<ScopeRows>,
}

/// How the judge panel stands, the same for every scope.
#[derive(Debug)]
struct Judges {
    status: String,
    error: Option<String>,
    models: Vec<Value>,
}

impl Summary {
    /// Asks the warehouse for everything a summary holds; [`Error::NoRows`] when the scope is empty.
    pub fn read(warehouse: &Warehouse, scope: &Scope) -> Result<Self> {
        let source = ("source_file", scope.source_file.as_deref().into());
        let judgments = ("judgments_file", scope.judgments_file.as_deref().into());
        let join = warehouse.query("metrics/judgments_join", &[source.clone(), judgments.clone()])?;
        let join = join.rows.first().ok_or(Error::NoRows)?;
        let judged = ("judged_dataset_id", join.text_or_null("dataset_id")?.into());
        let values = [source, judgments, judged];
        let column = |name: &str, column: &str| -> Result<Vec<Value>> {
            let table = warehouse.query(name, &values)?;
            table.rows.iter().map(|row| Ok(rows::json_value(row.value(column)?))).collect()
        };
        let scopes = rows::read_scopes(warehouse, &values)?;
        if scopes.is_empty() {
            return Err(Error::NoRows);
        }
        Ok(Self {
            runs: column("reports/summary_runs", "run_id")?,
            runner_versions: column("reports/summary_runner_versions", "runner_version")?,
            judges: Judges {
                status: join.text("status")?.to_owned(),
                error: join.text_or_null("error")?.map(str::to_owned),
                models: column("reports/summary_judges", "judge")?,
            },
            scopes,
        })
    }

    /// Writes the evaluation JSON, final newline included.
    pub fn evaluation_json(&self) -> Result<String> {
        let mut datasets = Map::new();
        let mut overall = Value::Null;
        let mut longitudinal: Map<String, Value> = Map::new();
        for scope in &self.scopes {
            let mut shape = self.scope_shape(scope);
            let Some(dataset_id) = &scope.dataset_id else {
                overall = Value::Object(shape);
                continue;
            };
            shape.insert("label".to_owned(), scope.label.clone());
            shape.insert("complexity_level".to_owned(), scope.complexity_level.clone());
            for approach in &scope.approaches {
                let steps = longitudinal.entry(approach.approach.clone()).or_insert_with(|| json!([]));
                if let Value::Array(steps) = steps {
                    let mut step = approach_shape(approach);
                    step.insert("dataset_id".to_owned(), dataset_id.clone().into());
                    step.insert("complexity_level".to_owned(), scope.complexity_level.clone());
                    steps.push(Value::Object(step));
                }
            }
            datasets.insert(dataset_id.clone(), Value::Object(shape));
        }
        let summary = json!({
            "schema_version": 1,
            "runner_versions": self.runner_versions,
            "run_ids": self.runs,
            "datasets": datasets,
            "overall": overall,
            "longitudinal": longitudinal,
        });
        Ok(json::pretty_sorted(&summary)? + "\n")
    }

    /// Writes the CSV, header line included.
    pub fn csv(&self) -> String {
        let mut text = csv::line(CSV_HEADER.map(str::to_owned));
        for scope in &self.scopes {
            for approach in &scope.approaches {
                text.extend(scope.csv_rows(approach).map(csv::line));
            }
        }
        text
    }

    fn scope_shape(&self, scope: &ScopeRows) -> Map<String, Value> {
        let approaches: Map<String, Value> = scope
            .approaches
            .iter()
            .map(|approach| (approach.approach.clone(), Value::Object(approach_shape(approach))))
            .collect();
        let mut panel = json!({
            "status": self.judges.status,
            "models": self.judges.models,
            "evaluated_queries": scope.evaluated_queries,
            "total_queries": scope.total_queries,
        });
        if let Some(error) = &self.judges.error {
            panel["error"] = error.as_str().into();
        }
        let mut shape = Map::new();
        shape.insert("coverage".to_owned(), scope.coverage.clone());
        shape.insert("approaches".to_owned(), approaches.into());
        shape.insert("rankings".to_owned(), scope.rankings());
        shape.insert("judge_panel".to_owned(), panel);
        shape
    }
}

const CSV_HEADER: [&str; 13] = [
    "scope",
    "dataset_id",
    "complexity_level",
    "approach",
    "metric_class",
    "metric",
    "value",
    "evaluated",
    "total",
    "coverage",
    "errors",
    "timeouts",
    "not_evaluable",
];

fn approach_shape(approach: &ApproachRows) -> Map<String, Value> {
    let mut shape = Map::new();
    shape.insert("operational".to_owned(), approach.operational.clone());
    shape.insert("ragas".to_owned(), approach.ragas_shape());
    shape.insert("judge_panel".to_owned(), approach.judges.clone());
    shape
}
