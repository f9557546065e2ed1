//! The rows of a summary, grouped by scope and approach.
//!
//! Reads the ordered results of the ranking statements; returns JSON pieces. Ranks, means and counts come as they are.

use super::Result;
use crate::json::float_text;
use crate::warehouse::Value as Cell;
use crate::warehouse::{Parameter, Row, Table, Warehouse};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// One scope: a dataset, or the whole.
#[derive(Debug)]
pub(super) struct ScopeRows {
    /// Null for the whole.
    pub dataset_id: Option<String>,
    pub label: Value,
    pub complexity_level: Value,
    pub coverage: Value,
    pub evaluated_queries: Value,
    pub total_queries: Value,
    /// In order of name.
    pub approaches: Vec<ApproachRows>,
    operational_ranking: Vec<Value>,
    ragas_rankings: BTreeMap<String, Vec<Value>>,
    judge_ranking: Vec<Value>,
}

/// One approach within a scope.
#[derive(Debug)]
pub(super) struct ApproachRows {
    pub approach: String,
    pub operational: Value,
    pub judges: Value,
    /// By metric.
    pub ragas: BTreeMap<String, Value>,
    /// Answers per attempted row; only the CSV shows it.
    operational_coverage: Value,
}

/// Reads all scopes: datasets by (level, id), then the whole.
pub(super) fn read_scopes(warehouse: &Warehouse, values: &[(&str, Parameter)]) -> Result<Vec<ScopeRows>> {
    let scopes = warehouse.query("reports/summary_scopes", values)?;
    let operational = by_scope(warehouse.query("rankings/operational", values)?)?;
    let ragas = by_scope(warehouse.query("rankings/ragas", values)?)?;
    let judges = by_scope(warehouse.query("rankings/judges", values)?)?;
    let rows =
        |table: &BTreeMap<Option<String>, Vec<Row>>, id: &Option<String>| table.get(id).cloned().unwrap_or_default();
    let mut read = Vec::new();
    for row in &scopes.rows {
        let dataset_id = row.text_or_null("dataset_id")?.map(str::to_owned);
        let operational = rows(&operational, &dataset_id);
        let ragas = rows(&ragas, &dataset_id);
        let judges = rows(&judges, &dataset_id);
        let mut ragas_rankings: BTreeMap<String, Vec<Row>> = BTreeMap::new();
        for row in &ragas {
            ragas_rankings.entry(row.text("metric")?.to_owned()).or_default().push(row.clone());
        }
        read.push(ScopeRows {
            label: field(row, "label")?,
            complexity_level: field(row, "complexity_level")?,
            coverage: fields(row, &["total_rows", "ok", "errors", "timeouts"])?,
            evaluated_queries: field(row, "evaluated_queries")?,
            total_queries: field(row, "total_queries")?,
            operational_ranking: ranking(&operational, "mean_latency_ms", ["successful", "attempted"])?,
            ragas_rankings: ragas_rankings
                .into_iter()
                .map(|(metric, rows)| Ok((metric, ranking(&rows, "mean", ["evaluated", "total"])?)))
                .collect::<Result<_>>()?,
            judge_ranking: ranking(&judges, "mean", ["evaluated", "total"])?,
            approaches: approaches(&operational, &ragas, &judges)?,
            dataset_id,
        });
    }
    Ok(read)
}

fn approaches(operational: &[Row], ragas: &[Row], judges: &[Row]) -> Result<Vec<ApproachRows>> {
    let mut found: BTreeMap<String, ApproachRows> = BTreeMap::new();
    for row in operational {
        let shape = fields(row, &["attempted", "successful", "errors", "timeouts", "mean_latency_ms", "error_rate"])?;
        let approach = row.text("approach")?.to_owned();
        found.insert(
            approach.clone(),
            ApproachRows {
                approach,
                operational: shape,
                operational_coverage: field(row, "coverage")?,
                judges: Value::Null,
                ragas: BTreeMap::new(),
            },
        );
    }
    for row in judges {
        if let Some(approach) = found.get_mut(row.text("approach")?) {
            approach.judges = fields(row, &["mean", "evaluated", "total", "coverage"])?;
        }
    }
    for row in ragas {
        if let Some(approach) = found.get_mut(row.text("approach")?) {
            let columns = ["mean", "evaluated", "total", "not_evaluable", "errors", "timeouts", "coverage"];
            approach.ragas.insert(row.text("metric")?.to_owned(), fields(row, &columns)?);
        }
    }
    Ok(found.into_values().collect())
}

/// Groups ranked rows: equal ranks share an entry. Rows without a rank are left out.
fn ranking(rows: &[Row], value: &str, [evaluated, total]: [&str; 2]) -> Result<Vec<Value>> {
    let mut groups: Vec<Value> = Vec::new();
    for row in rows {
        let Some(rank) = row.integer_or_null("rank")? else { continue };
        if groups.last().is_none_or(|group| group["rank"] != rank) {
            groups.push(json!({"rank": rank, "value": field(row, value)?, "approaches": [], "coverage": {}}));
        }
        let approach = row.text("approach")?;
        let coverage = json!({"evaluated": field(row, evaluated)?, "total": field(row, total)?});
        if let Some(group) = groups.last_mut() {
            if let Value::Array(names) = &mut group["approaches"] {
                names.push(approach.into());
            }
            group["coverage"][approach] = coverage;
        }
    }
    Ok(groups)
}

impl ScopeRows {
    /// The `rankings` of a scope.
    pub(super) fn rankings(&self) -> Value {
        json!({
            "operational": {"mean_latency_ms": self.operational_ranking},
            "ragas": self.ragas_rankings,
            "judge_panel": self.judge_ranking,
        })
    }

    /// The CSV rows of one approach: latency, each metric, judges.
    pub(super) fn csv_rows<'row>(&'row self, approach: &'row ApproachRows) -> impl Iterator<Item = [String; 13]> {
        let start = move |class: &str, metric: &str| {
            let scope = if self.dataset_id.is_some() { "dataset" } else { "overall" };
            let dataset_id = self.dataset_id.clone().unwrap_or_default();
            let level = csv_text(&self.complexity_level);
            [scope.to_owned(), dataset_id, level, approach.approach.clone(), class.to_owned(), metric.to_owned()]
        };
        let latency = &approach.operational;
        let operational = join(
            start("operational", "mean_latency_ms"),
            [
                csv_text(&latency["mean_latency_ms"]),
                csv_text(&latency["successful"]),
                csv_text(&latency["attempted"]),
                csv_text(&approach.operational_coverage),
                csv_text(&latency["errors"]),
                csv_text(&latency["timeouts"]),
                "0".to_owned(),
            ],
        );
        let metrics = approach.ragas.iter().map(move |(metric, shape)| {
            let columns = ["mean", "evaluated", "total", "coverage", "errors", "timeouts", "not_evaluable"];
            join(start("ragas", metric), columns.map(|column| csv_text(&shape[column])))
        });
        let [mean, evaluated, total, coverage] =
            ["mean", "evaluated", "total", "coverage"].map(|column| csv_text(&approach.judges[column]));
        let zero = || "0".to_owned();
        let judges =
            join(start("judge_panel", "mean_score"), [mean, evaluated, total, coverage, zero(), zero(), zero()]);
        std::iter::once(operational).chain(metrics).chain(std::iter::once(judges))
    }
}

impl ApproachRows {
    /// The `ragas` of an approach.
    pub(super) fn ragas_shape(&self) -> Value {
        Value::Object(self.ragas.iter().map(|(metric, shape)| (metric.clone(), shape.clone())).collect())
    }
}

fn join(start: [String; 6], end: [String; 7]) -> [String; 13] {
    let mut cells = start.into_iter().chain(end);
    std::array::from_fn(|_| cells.next().unwrap_or_default())
}

fn by_scope(table: Table) -> Result<BTreeMap<Option<String>, Vec<Row>>> {
    let mut scopes: BTreeMap<Option<String>, Vec<Row>> = BTreeMap::new();
    for row in table.rows {
        scopes.entry(row.text_or_null("dataset_id")?.map(str::to_owned)).or_default().push(row);
    }
    Ok(scopes)
}

fn fields(row: &Row, columns: &[&str]) -> Result<Value> {
    let pair = |column: &&str| Ok(((*column).to_owned(), field(row, column)?));
    Ok(Value::Object(columns.iter().map(pair).collect::<Result<Map<_, _>>>()?))
}

fn field(row: &Row, column: &str) -> Result<Value> {
    Ok(json_value(row.value(column)?))
}

/// A value of a result as JSON.
pub(super) fn json_value(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Bool(flag) => (*flag).into(),
        Cell::Integer(number) => (*number).into(),
        Cell::Float(number) => (*number).into(),
        Cell::Text(text) => text.as_str().into(),
    }
}

/// A JSON scalar as CSV text; null is the empty field.
fn csv_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.as_i64().is_none() => number.as_f64().map(float_text).unwrap_or_default(),
        other => other.to_string(),
    }
}
