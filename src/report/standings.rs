//! The tables at the end of a run: one per metric, with everything that was not measured in sight.
//!
//! Reads `rankings/standings`, `reports/judge_state` and `reports/missing_contexts`; returns text. Order, ranks, ties and bounds come from SQL.

use super::templates::Templates;
use super::terminal::{Column, clean, table};
use super::{Error, Result};
use crate::warehouse::{Parameter, Row, Warehouse};
use serde_json::{Value, json};

/// What the tables are about.
#[derive(Debug, Clone, Default)]
pub struct StandingsScope {
    /// Key of the evidence file, see [`crate::warehouse::file_key`]; null takes every file.
    pub source_file: Option<String>,
    /// The run; null takes every run.
    pub run_id: Option<String>,
    /// The dataset; null takes every dataset.
    pub dataset_id: Option<String>,
}

/// Renders all tables of a run for a terminal of `width` columns; `0` takes as much as they need.
///
/// [`Error::NoRows`] when the scope is empty.
pub fn render(warehouse: &Warehouse, templates: &Templates, scope: &StandingsScope, width: usize) -> Result<String> {
    let values = [
        ("source_file", Parameter::from(scope.source_file.as_deref())),
        ("run_id", scope.run_id.as_deref().into()),
        ("dataset_id", scope.dataset_id.as_deref().into()),
    ];
    let standings = warehouse.query("rankings/standings", &values)?;
    if standings.rows.is_empty() {
        return Err(Error::NoRows);
    }
    let mut tables = Vec::new();
    // The statement orders by metric, so each metric is one stretch of rows.
    let mut rest = standings.rows.as_slice();
    while let Some(first) = rest.first() {
        let metric = first.text("metric")?;
        let length = rest.iter().take_while(|row| row.text("metric").is_ok_and(|other| other == metric)).count();
        let (stretch, after) = rest.split_at(length);
        tables.push(one_metric(templates, stretch, width)?);
        rest = after;
    }
    let judges = warehouse.query("reports/judge_state", &values)?;
    if let Some(row) = judges.rows.first() {
        let counts = json!({
            "answers_n": row.integer("answers_n")?,
            "pending_n": row.integer("pending_n")?,
            "judged_n": row.integer("judged_n")?,
        });
        tables.push(templates.render("terminal/judges.txt", &counts)?);
    }
    let missing = warehouse.query("reports/missing_contexts", &values[..1])?;
    if !missing.rows.is_empty() {
        let row = |row: &Row| -> Result<Value> {
            let (missing_n, answers_n) = (row.integer("missing_n")?, row.integer("answers_n")?);
            let approach = clean(row.text("approach")?);
            Ok(json!({"approach": approach, "missing_n": missing_n, "answers_n": answers_n}))
        };
        let rows: Vec<Value> = missing.rows.iter().map(row).collect::<Result<_>>()?;
        tables.push(templates.render("terminal/missing_contexts.txt", &json!({"rows": rows}))?);
    }
    Ok(tables.join("\n"))
}

fn one_metric(templates: &Templates, rows: &[Row], width: usize) -> Result<String> {
    let Some(first) = rows.first() else { return Ok(String::new()) };
    let digits = usize::try_from(first.integer("digits_n")?).unwrap_or(3);
    let columns = [
        Column::right("rank"),
        Column::left("approach"),
        Column::right("mean"),
        Column::right("scored"),
        Column::right("errors"),
        Column::right("n/a"),
        Column::left(""),
    ];
    let mut cells = Vec::new();
    let mut notes = Vec::new();
    for row in rows {
        let number = |column: &str| -> Result<String> {
            Ok(row.float_or_null(column)?.map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}")))
        };
        let (scored, eligible) = (row.integer("scored_n")?, row.integer("eligible_n")?);
        let place = row.text("place")?;
        let mark = match place {
            "ranked" if row.value("is_tied")? == &crate::warehouse::Value::Bool(true) => "tie",
            "ranked" => "",
            other => other,
        };
        cells.push(vec![
            rank(row)?,
            row.text("approach")?.to_owned(),
            number("mean")?,
            format!("{scored}/{eligible}"),
            row.integer("errors_n")?.to_string(),
            row.integer("not_evaluable_n")?.to_string(),
            mark.to_owned(),
        ]);
        if let Some(kind) = note_kind(place, scored, eligible) {
            let bound = |column: &str| -> Result<Value> {
                Ok(row.float_or_null(column)?.map_or(Value::Null, |bound| format!("{bound:.digits$}").into()))
            };
            notes.push(json!({
                "kind": kind,
                "approach": clean(row.text("approach")?),
                "mean": number("mean")?,
                "scored_n": scored,
                "eligible_n": eligible,
                "errors_n": row.integer("errors_n")?,
                "lower": bound("lower_bound")?,
                "upper": bound("upper_bound")?,
                "is_inapplicable": row.integer("errors_n")? == 0,
            }));
        }
    }
    let values = json!({
        "title": clean(first.text("metric")?),
        "measured_by": first.text_or_null("measured_by")?.map(clean),
        "better": first.text("better")?,
        "table": table(&columns, &cells, width).trim_end_matches('\n'),
        "notes": notes,
    });
    templates.render("terminal/standing.txt", &values)
}

/// A mean over some of the cells never stands alone: a note says what the others could change.
fn note_kind(place: &str, scored: i64, eligible: i64) -> Option<&'static str> {
    match place {
        "unranked" => Some("unranked"),
        _ if scored < eligible => Some("bounds"),
        _ => None,
    }
}

/// `2` when the rank is settled, `1-3` when missing scores leave it open, `-` when there is none.
fn rank(row: &Row) -> Result<String> {
    Ok(match (row.integer_or_null("best_rank")?, row.integer_or_null("worst_rank")?) {
        (Some(best), Some(worst)) if best == worst => best.to_string(),
        (Some(best), Some(worst)) => format!("{best}-{worst}"),
        _ => "-".to_owned(),
    })
}
