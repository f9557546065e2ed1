//! The leaderboards as JSON and CSV, for programs.
//!
//! Reads the ordered rows of `rankings/leaderboard_*` and `reports/leaderboard_*`; returns text. Source of the shapes:
//! `contract/evaluation.md` section 7.1 for the records, 7.2 for the columns.

use super::{Result, csv};
use crate::json;
use crate::warehouse::{Row, Table, Value as Cell, Warehouse};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const METRICS: [&str; 2] = ["answer_relevancy", "faithfulness"];
const METRIC_FIELDS: [&str; 7] = ["mean", "evaluated", "total", "not_evaluable", "errors", "timeouts", "coverage"];
const OPERATIONAL_FIELDS: [&str; 6] =
    ["mean_latency_ms", "successful", "attempted", "error_rate", "errors", "timeouts"];

/// The four tables by their ids.
pub const TABLES: [&str; 4] = ["base-overall", "base-by-dataset", "flavor-overall", "flavor-by-dataset"];

/// Writes both leaderboards as one JSON object with the keys `base` and `flavors`, final newline included.
pub fn json(warehouse: &Warehouse) -> Result<String> {
    let overall = warehouse.query("rankings/leaderboard_overall@1", &[])?;
    let by_dataset = warehouse.query("rankings/leaderboard_by_dataset@1", &[])?;
    let judges = Judges::read(warehouse)?;
    let facts = warehouse.query("reports/leaderboard_facts@1", &[])?;
    let mut boards = Map::new();
    for fact in &facts.rows {
        let tier = fact.text("tier")?;
        let of_tier = |rows: &[Row], shape: &dyn Fn(&Row) -> Result<Value>| -> Result<Vec<Value>> {
            let mut found = Vec::new();
            for row in rows {
                if row.text("tier")? == tier {
                    found.push(shape(row)?);
                }
            }
            Ok(found)
        };
        let board = json!({
            "dataset_count": value(fact, "datasets_n")?,
            "judge_models": judges.models(tier),
            "overall": of_tier(&overall.rows, &|row| overall_record(row, &judges))?,
            "by_dataset": of_tier(&by_dataset.rows, &|row| dataset_record(row, &judges))?,
        });
        boards.insert(tier.to_owned(), board);
    }
    Ok(json::pretty_sorted(&Value::Object(boards))? + "\n")
}

/// Writes each of the [`TABLES`] as CSV: the keys of its columns, then the raw values; empty where there is none.
pub fn csv(warehouse: &Warehouse) -> Result<Vec<(&'static str, String)>> {
    let columns = warehouse.query("reports/leaderboard_columns@1", &[])?;
    let cells = warehouse.query("reports/leaderboard_cells@1", &[])?;
    TABLES.into_iter().map(|table_id| Ok((table_id, table_csv(table_id, &columns, &cells)?))).collect()
}

fn table_csv(table_id: &str, columns: &Table, cells: &Table) -> Result<String> {
    let mut header = Vec::new();
    for row in &columns.rows {
        if row.text("table_id")? == table_id {
            header.push(row.text("column_key")?.to_owned());
        }
    }
    let mut text = csv::record(header);
    let mut record = Vec::new();
    for row in &cells.rows {
        if row.text("table_id")? != table_id {
            continue;
        }
        record.push(row.text("sort_value")?.to_owned());
        if row.value("ends_row")? == &Cell::Bool(true) {
            text.push_str(&csv::record(std::mem::take(&mut record)));
        }
    }
    Ok(text)
}

/// Tier, dataset (nothing for overall), approach.
type JudgedKey = (String, Option<String>, String);

/// Means and counts by judge.
type Judged = (Map<String, Value>, Map<String, Value>);

/// What each judge thought.
struct Judges {
    by_approach: BTreeMap<JudgedKey, Judged>,
}

impl Judges {
    fn read(warehouse: &Warehouse) -> Result<Self> {
        let mut by_approach: BTreeMap<JudgedKey, Judged> = BTreeMap::new();
        for row in &warehouse.query("rankings/leaderboard_judges@1", &[])?.rows {
            let dataset = row.text_or_null("dataset_id")?.map(str::to_owned);
            let key = (row.text("tier")?.to_owned(), dataset, row.text("approach")?.to_owned());
            let (means, counts) = by_approach.entry(key).or_default();
            let judge = row.text("judge")?;
            means.insert(judge.to_owned(), value(row, "mean")?);
            counts.insert(judge.to_owned(), value(row, "evaluated")?);
        }
        Ok(Self { by_approach })
    }

    fn models(&self, tier: &str) -> Vec<String> {
        let of_tier = self.by_approach.iter().filter(|((found, dataset, _), _)| found == tier && dataset.is_none());
        let names: std::collections::BTreeSet<String> =
            of_tier.flat_map(|(_, (means, _))| means.keys().cloned()).collect();
        names.into_iter().collect()
    }

    fn add_to(&self, shape: &mut Map<String, Value>, row: &Row, dataset: Option<&str>) -> Result<()> {
        let key = (row.text("tier")?.to_owned(), dataset.map(str::to_owned), row.text("approach")?.to_owned());
        let (means, counts) = self.by_approach.get(&key).cloned().unwrap_or_default();
        shape.insert("judge_by_model".to_owned(), means.into());
        shape.insert("judge_by_model_evaluated".to_owned(), counts.into());
        Ok(())
    }
}

fn overall_record(row: &Row, judges: &Judges) -> Result<Value> {
    let mut shape = Map::new();
    for (name, cell) in row.columns().iter().zip(&row.values) {
        if !["tier", "datasets_n"].contains(&name.as_str()) {
            shape.insert(name.clone(), json_value(cell));
        }
    }
    judges.add_to(&mut shape, row, None)?;
    Ok(shape.into())
}

fn dataset_record(row: &Row, judges: &Judges) -> Result<Value> {
    let mut shape = Map::new();
    for (name, cell) in row.columns().iter().zip(&row.values) {
        let renamed = match name.as_str() {
            "tier" => continue,
            "dataset_id" => "dataset",
            "complexity_level" => "complexity",
            other => other,
        };
        shape.insert(renamed.to_owned(), json_value(cell));
    }
    for metric in METRICS {
        let mut block = Map::new();
        for field in METRIC_FIELDS {
            block.insert(field.to_owned(), shape.remove(&format!("{metric}_{field}")).unwrap_or_default());
        }
        shape.insert(metric.to_owned(), block.into());
    }
    let mut operational = Map::new();
    for field in OPERATIONAL_FIELDS {
        operational.insert(field.to_owned(), shape.remove(field).unwrap_or_default());
    }
    shape.insert("operational".to_owned(), operational.into());
    judges.add_to(&mut shape, row, Some(row.text("dataset_id")?))?;
    Ok(shape.into())
}

fn value(row: &Row, column: &str) -> Result<Value> {
    Ok(json_value(row.value(column)?))
}

fn json_value(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Bool(flag) => (*flag).into(),
        Cell::Integer(number) => (*number).into(),
        Cell::Float(number) => serde_json::Number::from_f64(*number).map_or(Value::Null, Value::Number),
        Cell::Text(text) => text.as_str().into(),
    }
}
