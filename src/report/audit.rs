//! The audit of a judge panel, for the terminal and as JSON; and the table of its means.
//!
//! Reads the `audit_*` statements and `rankings/judges`; returns text. Every number and every order comes from SQL; the
//! words around the tables are those of `templates/terminal/audit.txt`.

use super::templates::Templates;
use super::terminal::{Column, clean, table};
use super::{Error, Result};
use crate::warehouse::{Parameter, Row, Table, Value, Warehouse};
use serde_json::{Map, Value as Json, json};

/// Models of this program begin with this.
const BUILT_IN: &str = "builtin/";

/// How a column of the result is shown.
#[derive(Clone, Copy)]
enum Shape {
    /// As it is.
    Text,
    /// As it is, or these words for null.
    TextOr(&'static str),
    /// A whole number.
    Count,
    /// A number with two decimals and its sign.
    Signed,
    /// A number with three decimals.
    Number,
    /// Two columns, this one and the named one, as an interval.
    Upto(&'static str),
    /// `yes` for true, nothing else.
    Mark,
}

/// A statement and how its rows are shown: column, title, shape.
struct Section {
    key: &'static str,
    query: &'static str,
    columns: &'static [(&'static str, &'static str, Shape)],
}

const SECTIONS: [Section; 10] = [
    Section {
        key: "judges",
        query: "metrics/audit_judges",
        columns: &[
            ("judge", "judge", Shape::Text),
            ("scored_n", "scored", Shape::Count),
            ("answers_n", "answers", Shape::Count),
            ("coverage", "coverage", Shape::Number),
            ("mean", "mean", Shape::Number),
            ("sd", "sd", Shape::Number),
            ("minus_others", "beside the others", Shape::Signed),
            ("reason", "", Shape::TextOr("")),
        ],
    },
    Section {
        key: "reasons",
        query: "reports/audit_reasons",
        columns: &[
            ("judge", "judge", Shape::Text),
            ("reason", "no score because", Shape::Text),
            ("answers_n", "answers", Shape::Count),
            ("questions_n", "questions", Shape::Count),
        ],
    },
    Section {
        key: "alpha",
        query: "metrics/audit_alpha",
        columns: &[
            ("alpha", "alpha", Shape::Number),
            ("lower", "95 % interval", Shape::Upto("upper")),
            ("alpha_ordinal", "on ranks", Shape::Number),
            ("judges_n", "judges", Shape::Count),
            ("pairable_n", "scores", Shape::Count),
            ("questions_n", "questions", Shape::Count),
            ("reason", "", Shape::TextOr("")),
        ],
    },
    Section {
        key: "pairs",
        query: "metrics/audit_pairs",
        columns: &[
            ("judge_a", "judge", Shape::Text),
            ("judge_b", "and judge", Shape::Text),
            ("both_n", "answers", Shape::Count),
            ("kappa", "kappa", Shape::Number),
            ("kappa_lower", "95 % interval", Shape::Upto("kappa_upper")),
            ("spearman", "spearman", Shape::Number),
            ("equal_ratio", "equal", Shape::Number),
            ("mean_distance", "distance", Shape::Number),
            ("kappa_reason", "", Shape::TextOr("")),
        ],
    },
    Section {
        key: "effects",
        query: "metrics/audit_effects",
        columns: &[
            ("effect", "effect", Shape::Text),
            ("judge", "judge", Shape::TextOr("the panel")),
            ("slope", "points", Shape::Signed),
            ("lower", "95 % interval", Shape::Upto("upper")),
            ("used_n", "blocks used", Shape::Count),
            ("blocks_n", "of", Shape::Count),
            ("reason", "", Shape::TextOr("")),
        ],
    },
    Section {
        key: "swap",
        query: "metrics/audit_swap",
        columns: &[
            ("judge", "judge", Shape::TextOr("the panel")),
            ("slope", "points a place", Shape::Signed),
            ("lower", "95 % interval", Shape::Upto("upper")),
            ("answers_n", "answers", Shape::Count),
            ("reason", "", Shape::TextOr("")),
        ],
    },
    Section {
        key: "families",
        query: "metrics/audit_families",
        columns: &[
            ("judge", "judge", Shape::Text),
            ("family", "family", Shape::TextOr("-")),
            ("own", "own family", Shape::Signed),
            ("other", "others", Shape::Signed),
            ("preference", "preference", Shape::Signed),
            ("lower", "95 % interval", Shape::Upto("upper")),
            ("reason", "", Shape::TextOr("")),
        ],
    },
    Section {
        key: "leave_one_out",
        query: "rankings/audit_leave_one_out",
        columns: &[
            ("without_judge", "without", Shape::TextOr("(whole panel)")),
            ("rank", "rank", Shape::Count),
            ("approach", "approach", Shape::Text),
            ("mean", "mean", Shape::Number),
            ("questions_n", "questions", Shape::Count),
            ("winner_changes", "winner changes", Shape::Mark),
        ],
    },
    Section {
        key: "canaries",
        query: "metrics/audit_canaries",
        columns: &[
            ("judge", "judge", Shape::Text),
            ("canary", "planted", Shape::Text),
            ("passed_n", "passed", Shape::Count),
            ("scored_n", "scored", Shape::Count),
            ("shown_n", "shown", Shape::Count),
            ("lower", "95 % interval", Shape::Upto("upper")),
            ("fails_most", "fails most", Shape::Mark),
        ],
    },
    Section {
        key: "duplicates",
        query: "metrics/audit_duplicates",
        columns: &[
            ("judge", "judge", Shape::Text),
            ("equal_n", "equal", Shape::Count),
            ("compared_n", "compared", Shape::Count),
            ("shown_n", "shown", Shape::Count),
            ("lower", "95 % interval", Shape::Upto("upper")),
            ("mean_distance", "distance", Shape::Number),
            ("later_minus_earlier", "later less earlier", Shape::Signed),
            ("fails_most", "differs most", Shape::Mark),
        ],
    },
];

/// The statements of the audit by name, in the order in which it shows them. Each takes `panel_file`.
pub fn statements() -> impl Iterator<Item = &'static str> {
    SECTIONS.iter().map(|section| section.query)
}

/// Renders the audit of one panel for a terminal of `width` columns; `0` takes as much as they need.
///
/// `panel_file` is the key of a verdict sidecar or judgments file that the warehouse holds. [`Error::NoRows`] when no
/// judge said anything in it.
pub fn render(warehouse: &Warehouse, templates: &Templates, panel_file: &str, width: usize) -> Result<String> {
    let mut values = Map::new();
    for Section { key, query, columns } in &SECTIONS {
        let found = panel(warehouse, query, panel_file)?;
        if *key == "judges" {
            if found.rows.is_empty() {
                return Err(Error::NoRows);
            }
            values.insert("is_heuristic".to_owned(), json!(any(&found, "judge", |judge| judge.starts_with(BUILT_IN))));
        }
        if *key == "leave_one_out" {
            let is_complete =
                found.rows.iter().all(|row| row.value("winner_changes").is_ok_and(|flag| *flag != Value::Null));
            values.insert("leave_one_out_is_complete".to_owned(), json!(is_complete));
        }
        for flag in ["fails_most", "winner_changes"] {
            if found.columns.iter().any(|column| column == flag) {
                values.insert(format!("{key}_{flag}"), named(&found, flag)?);
            }
        }
        let shown = if found.rows.is_empty() { String::new() } else { grid(&found, columns, width)? };
        values.insert((*key).to_owned(), json!(shown.trim_end_matches('\n')));
    }
    templates.render("terminal/audit.txt", &Json::Object(values))
}

/// The audit of one panel as JSON: a list of rows for each statement, under its name, columns as its header says.
pub fn document(warehouse: &Warehouse, panel_file: &str) -> Result<Json> {
    let mut document = Map::new();
    for Section { key, query, .. } in &SECTIONS {
        let found = panel(warehouse, query, panel_file)?;
        let object = |row: &Row| -> Json {
            let pairs = row.columns().iter().zip(&row.values).filter(|(column, _)| *column != "source_file");
            Json::Object(pairs.map(|(column, value)| (column.clone(), plain(value))).collect())
        };
        document.insert((*key).to_owned(), found.rows.iter().map(object).collect());
    }
    Ok(Json::Object(document))
}

/// The panel's means by approach; empty when nothing was judged.
pub fn means(
    warehouse: &Warehouse,
    templates: &Templates,
    source_file: &str,
    judgments_file: &str,
    dataset_id: &str,
    width: usize,
) -> Result<String> {
    let values = [
        ("source_file", Parameter::from(source_file)),
        ("judgments_file", judgments_file.into()),
        ("judged_dataset_id", dataset_id.into()),
    ];
    let found = warehouse.query("rankings/judges", &values)?;
    let mut rows = Vec::new();
    for row in found.rows.iter().filter(|row| row.text("scope").is_ok_and(|scope| scope == "dataset")) {
        if row.text_or_null("dataset_id")? != Some(dataset_id) {
            continue;
        }
        rows.push(vec![
            row.integer_or_null("rank")?.map_or_else(|| "-".to_owned(), |rank| rank.to_string()),
            row.text("approach")?.to_owned(),
            shape(row, "mean", Shape::Number)?,
            format!("{}/{}", row.integer("evaluated")?, row.integer("total")?),
            if row.integer_or_null("tied_n")?.is_some_and(|tied| tied > 1) { "tie".to_owned() } else { String::new() },
        ]);
    }
    if rows.iter().all(|row| row[0] == "-") {
        return Ok(String::new());
    }
    let columns = [
        Column::right("rank"),
        Column::left("approach"),
        Column::right("mean"),
        Column::right("judged"),
        Column::left(""),
    ];
    let judged_by = found_judges(warehouse, judgments_file)?;
    let values = json!({
        "judges": judged_by.iter().map(|judge| clean(judge)).collect::<Vec<_>>(),
        "is_heuristic": judged_by.iter().any(|judge| judge.starts_with(BUILT_IN)),
        "table": table(&columns, &rows, width).trim_end_matches('\n'),
    });
    templates.render("terminal/judge_means.txt", &values)
}

fn found_judges(warehouse: &Warehouse, judgments_file: &str) -> Result<Vec<String>> {
    let judges = panel(warehouse, "metrics/audit_judges", judgments_file)?;
    judges.rows.iter().map(|row| Ok(row.text("judge")?.to_owned())).collect()
}

fn panel(warehouse: &Warehouse, query: &str, panel_file: &str) -> Result<Table> {
    Ok(warehouse.query(query, &[("panel_file", panel_file.into())])?)
}

fn grid(found: &Table, columns: &[(&str, &str, Shape)], width: usize) -> Result<String> {
    let heads: Vec<Column> = columns
        .iter()
        .map(|(_, title, shape)| match shape {
            Shape::Text | Shape::TextOr(_) | Shape::Mark => Column::left(*title),
            Shape::Count | Shape::Signed | Shape::Number | Shape::Upto(_) => Column::right(*title),
        })
        .collect();
    let cells = |row: &Row| columns.iter().map(|(name, _, form)| shape(row, name, *form)).collect();
    let rows: Result<Vec<Vec<String>>> = found.rows.iter().map(cells).collect();
    Ok(table(&heads, &rows?, width))
}

fn shape(row: &Row, column: &str, form: Shape) -> Result<String> {
    let number = |column: &str| row.float_or_null(column);
    let none = || "-".to_owned();
    Ok(match form {
        Shape::Text => row.text(column)?.to_owned(),
        Shape::TextOr(words) => row.text_or_null(column)?.unwrap_or(words).to_owned(),
        Shape::Count => row.integer_or_null(column)?.map_or_else(none, |count| count.to_string()),
        Shape::Signed => number(column)?.map_or_else(none, |number| format!("{number:+.2}")),
        Shape::Number => number(column)?.map_or_else(none, |number| format!("{number:.3}")),
        Shape::Upto(upper) => match (number(column)?, number(upper)?) {
            (Some(lower), Some(upper)) => format!("{lower:.2} to {upper:.2}"),
            _ => none(),
        },
        Shape::Mark if row.value(column)? == &Value::Bool(true) => "yes".to_owned(),
        Shape::Mark => String::new(),
    })
}

/// The judges of the rows with a flag, each once, in the order of the rows.
fn named(found: &Table, flag: &str) -> Result<Json> {
    let column = if flag == "winner_changes" { "without_judge" } else { "judge" };
    let mut names: Vec<String> = Vec::new();
    for row in found.rows.iter().filter(|row| row.value(flag).is_ok_and(|value| *value == Value::Bool(true))) {
        let name = clean(row.text_or_null(column)?.unwrap_or_default());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(json!(names))
}

fn any(found: &Table, column: &str, holds: impl Fn(&str) -> bool) -> bool {
    found.rows.iter().any(|row| row.text(column).is_ok_and(&holds))
}

fn plain(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Integer(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Text(text) => json!(text),
    }
}
