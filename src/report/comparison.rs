//! Two runs beside each other: what differs between them, then the paired changes, one table per metric and dataset.
//!
//! Reads `reports/run_differences` and `metrics/stat_runs`; returns text or JSON. Every number and verdict comes from SQL.

use super::templates::Templates;
use super::terminal::{Column, clean, laid_out};
use super::verdicts::{is_heuristic, object, range, signed, times};
use super::{Error, Result};
use crate::warehouse::{Parameter, Row, Table, Value, Warehouse};
use serde_json::{Map, Value as Json, json};

/// Verdicts that the text below the tables explains.
const VERDICTS: [&str; 5] = ["different", "not_separable", "could_not", "identical", "not_comparable"];

/// Which runs, and what of them.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// The earlier run.
    pub baseline: String,
    /// The run that is held against it.
    pub candidate: String,
    /// Only this metric.
    pub metric: Option<String>,
    /// Only this approach.
    pub approach: Option<String>,
    /// Only this dataset.
    pub dataset: Option<String>,
}

/// What was found.
#[derive(Debug)]
pub struct Comparison {
    scope: Scope,
    differences: Table,
    rows: Table,
    queries: Vec<String>,
}

impl Comparison {
    /// Asks the warehouse. [`Error::NoRows`] when neither run has anything within the scope.
    pub fn read(warehouse: &Warehouse, scope: Scope) -> Result<Self> {
        let runs = [
            ("baseline_run_id", Parameter::from(scope.baseline.as_str())),
            ("candidate_run_id", scope.candidate.as_str().into()),
            ("dataset_id", scope.dataset.as_deref().into()),
        ];
        let narrowed =
            [("metric", Parameter::from(scope.metric.as_deref())), ("approach", scope.approach.as_deref().into())];
        let (differences, rows) = ("reports/run_differences", "metrics/stat_runs");
        let found = Self {
            differences: warehouse.query(differences, &runs)?,
            rows: warehouse.query(rows, &[&runs[..], &narrowed[..]].concat())?,
            queries: [differences, rows]
                .map(|name| warehouse.catalogue().query(name).map(|query| query.full_name()))
                .into_iter()
                .collect::<Result<_, _>>()?,
            scope,
        };
        if found.rows.rows.is_empty() { Err(Error::NoRows) } else { Ok(found) }
    }

    /// Whether both runs asked one question of the same dataset and approach at least.
    pub fn shares_a_question(&self) -> Result<bool> {
        for row in &self.rows.rows {
            if row.integer("asked_n")? > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The comparison as JSON: columns as the headers of the statements say.
    pub fn document(&self) -> Json {
        let rows = |table: &Table| -> Json { table.rows.iter().map(object).collect() };
        json!({
            "baseline": self.scope.baseline,
            "candidate": self.scope.candidate,
            "queries": self.queries,
            "differences": rows(&self.differences),
            "rows": rows(&self.rows),
        })
    }

    /// The comparison for a terminal of `width` columns; `0` takes as much as it needs.
    pub fn render(&self, templates: &Templates, width: usize) -> Result<String> {
        let mut tables = Vec::new();
        // The statement orders by dataset and metric, so each pair of them is one stretch of rows.
        let mut rest = self.rows.rows.as_slice();
        while let Some(first) = rest.first() {
            let same =
                |row: &&Row| ["dataset_id", "metric"].iter().all(|key| row.value(key).ok() == first.value(key).ok());
            let (stretch, after) = rest.split_at(rest.iter().take_while(same).count());
            tables.push(self.one_table(first, stretch, width)?);
            rest = after;
        }
        let is_marked = self
            .differences
            .rows
            .iter()
            .any(|row| row.text("kind").is_ok_and(|kind| ["instrument", "seed"].contains(&kind)));
        let is_there =
            |word: &str| self.rows.rows.iter().any(|row| row.text("verdict").is_ok_and(|found| found == word));
        let verdicts = VERDICTS.iter().map(|word| ((*word).to_owned(), is_there(word).into()));
        let values = json!({
            "baseline": clean(&self.scope.baseline),
            "candidate": clean(&self.scope.candidate),
            "differences": self.differing(width)?,
            "is_heuristic": self.rows.rows.iter().any(is_heuristic),
            "is_marked": is_marked,
            "is_cut": tables.iter().any(|table| table["is_cut"] == true),
            "tables": tables,
            "metrics_n": self.metrics_n(),
            "verdicts": verdicts.collect::<Map<String, Json>>(),
        });
        templates.render("terminal/compare.txt", &values)
    }

    /// How many metrics are shown.
    fn metrics_n(&self) -> usize {
        let names: std::collections::BTreeSet<&str> =
            self.rows.rows.iter().filter_map(|row| row.text("metric").ok()).collect();
        names.len()
    }

    fn differing(&self, width: usize) -> Result<String> {
        if self.differences.rows.is_empty() {
            return Ok(String::new());
        }
        let columns = ["dataset", "", "what", &self.scope.baseline, &self.scope.candidate].map(Column::left);
        let cells = |row: &Row| -> Result<Vec<String>> {
            let told = |column: &str| Ok::<_, Error>(row.text_or_null(column)?.unwrap_or("-").to_owned());
            Ok(vec![
                row.text("dataset_id")?.to_owned(),
                row.text("kind")?.replace('_', " "),
                row.text("mark")?.replace('_', " "),
                told("baseline")?,
                told("candidate")?,
            ])
        };
        let rows: Vec<Vec<String>> = self.differences.rows.iter().map(cells).collect::<Result<_>>()?;
        Ok(laid_out(&columns, &rows, width).text.trim_end_matches('\n').to_owned())
    }

    fn one_table(&self, first: &Row, rows: &[Row], width: usize) -> Result<Json> {
        let is_log = first.text("scale")? == "log";
        let mut columns = vec![Column::left("approach"), Column::left("verdict")];
        let change = if is_log { "ratio" } else { "change" };
        columns
            .extend(["pairs", &self.scope.baseline, &self.scope.candidate, change, "95 % interval"].map(Column::right));
        columns.extend([Column::left("by"), Column::right("+/=/-"), Column::right("p")]);
        let lines: Vec<Vec<String>> = rows.iter().map(|row| cells(row, is_log)).collect::<Result<_>>()?;
        let notes: Vec<Json> = rows.iter().map(note).filter_map(Result::transpose).collect::<Result<_>>()?;
        let laid_out = laid_out(&columns, &lines, width);
        Ok(json!({
            "is_cut": laid_out.shown_n < columns.len(),
            "metric": clean(first.text("metric")?),
            "measured_by": first.text_or_null("measured_by")?.map(clean),
            "dataset": clean(first.text("dataset_id")?),
            "better": first.text("better")?,
            "is_log": is_log,
            "text": laid_out.text.trim_end_matches('\n'),
            "notes": notes,
        }))
    }
}

fn cells(row: &Row, is_log: bool) -> Result<Vec<String>> {
    let digits = if is_log { 0 } else { 3 };
    let mean = |column: &str| -> Result<String> {
        Ok(row.float_or_null(column)?.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.digits$}")))
    };
    let (change, interval) = if is_log {
        (times(row.float_or_null("ratio")?), range(row, "ratio_lower", "ratio_upper", times)?)
    } else {
        (signed(row.float_or_null("difference")?), range(row, "lower", "upper", signed)?)
    };
    let (shared_n, units_n) = (row.integer("shared_n")?, row.integer("units_n")?);
    let method = row.text_or_null("method")?.map(|method| method.replace('_', " "));
    Ok(vec![
        row.text("approach")?.to_owned(),
        verdict(row)?,
        format!("{shared_n}/{}", row.integer("eligible_n")?),
        mean("baseline_mean")?,
        mean("candidate_mean")?,
        change,
        interval,
        match (method, units_n == shared_n) {
            (None, _) => "-".to_owned(),
            (Some(method), true) => method,
            (Some(method), false) => format!("{method}, {units_n} topics"),
        },
        format!("{}/{}/{}", row.integer("wins_n")?, row.integer("ties_n")?, row.integer("losses_n")?),
        row.float_or_null("p_max")?.map_or_else(|| "-".to_owned(), p_text),
    ])
}

/// A p-value with three digits; the floor of 9,999 sign patterns is a limit, never 0.
fn p_text(p: f64) -> String {
    if p <= 1e-4 {
        "<=0.0001".to_owned()
    } else if p < 1e-3 {
        format!("{p:.4}")
    } else {
        format!("{p:.3}")
    }
}

/// The verdict in the words that the page below the tables explains.
fn verdict(row: &Row) -> Result<String> {
    let word = row.text("verdict")?;
    Ok(match (word, row.text_or_null("better_run")?, row.text_or_null("reason")?) {
        ("different", Some("candidate"), _) => "better".to_owned(),
        ("different", ..) => "worse".to_owned(),
        ("not_separable", ..) => "not separated".to_owned(),
        ("could_not", ..) => "could not separate".to_owned(),
        ("not_estimable", _, Some(reason)) => reason.replace('_', " "),
        (other, ..) => other.replace('_', " "),
    })
}

/// What missing scores could change; nothing when no score is missing.
fn note(row: &Row) -> Result<Option<Json>> {
    let (shared_n, eligible_n) = (row.integer("shared_n")?, row.integer("eligible_n")?);
    let reason = row.text_or_null("reason")?;
    let holds = |column: &str| Ok::<_, Error>(row.value(column)? == &Value::Bool(true));
    let (is_rough, is_clipped) = (holds("is_rough")?, holds("is_clipped")?);
    if shared_n == eligible_n && !is_rough && !is_clipped && reason.is_none_or(|reason| !reason.starts_with("only_")) {
        return Ok(None);
    }
    let bound =
        |column: &str| -> Result<Option<String>> { Ok(row.float_or_null(column)?.map(|bound| signed(Some(bound)))) };
    Ok(Some(json!({
        "approach": clean(row.text("approach")?),
        "reason": reason,
        "shared_n": shared_n,
        "eligible_n": eligible_n,
        "baseline_scored_n": row.integer("baseline_scored_n")?,
        "candidate_scored_n": row.integer("candidate_scored_n")?,
        "lower": bound("lower_bound")?,
        "upper": bound("upper_bound")?,
        "is_rough": is_rough,
        "is_clipped": is_clipped,
    })))
}
