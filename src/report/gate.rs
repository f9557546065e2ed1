//! A gate's verdict: the rows of `reports/gate` as text, JSON, JUnit and HTML. All four show the same rows.
//!
//! Reads the warehouse; returns text. What passes and what does not is decided in SQL.

use super::escape;
use super::templates::Templates;
use super::terminal::clean;
use super::verdicts::{is_heuristic, object, signed, told_apart};
use super::{Error, Result};
use crate::warehouse::{Parameter, Row, Table, Warehouse};
use serde_json::{Map, Value as Json, json};

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The run that is judged.
    pub candidate: &'a str,
    /// The run it is held against.
    pub baseline: Option<&'a str>,
    /// The rules, as the header of `reports/gate` says.
    pub checks: &'a Json,
    /// Level of each one-sided limit, before it is divided.
    pub alpha: f64,
    /// Least share of questions with a score, in both runs where a rule compares them.
    pub coverage_floor: f64,
    /// Looks declared in advance.
    pub looks_max: Option<u32>,
    /// Whether the level of failing is divided by the number of tests.
    pub is_fail_corrected: bool,
    /// Marks that may differ.
    pub may_differ: &'a [String],
    /// Digests of what was evaluated before.
    pub attempts: &'a [&'a str],
}

/// How a gate ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// Nothing that counts failed or is open.
    Pass,
    /// Something that counts failed.
    Fail,
    /// Something that counts could not be decided.
    Inconclusive,
}

/// The rows of one evaluation.
#[derive(Debug)]
pub struct Verdict {
    rows: Table,
    query: String,
    candidate: String,
    baseline: Option<String>,
}

impl Verdict {
    /// Asks the warehouse.
    pub fn read(warehouse: &Warehouse, question: &Question) -> Result<Self> {
        let list = |value: Json| crate::json::compact(&value).map(Parameter::Text);
        let query = "reports/gate";
        let rows = warehouse.query(
            query,
            &[
                ("candidate_run_id", question.candidate.into()),
                ("baseline_run_id", question.baseline.into()),
                ("checks", list(question.checks.clone())?),
                ("alpha", Parameter::Float(question.alpha)),
                ("coverage_floor", Parameter::Float(question.coverage_floor)),
                ("looks_max", question.looks_max.map(i64::from).into()),
                ("fail_correction", if question.is_fail_corrected { "bonferroni" } else { "none" }.into()),
                ("may_differ", list(json!(question.may_differ))?),
                ("attempts", list(json!(question.attempts))?),
            ],
        )?;
        if rows.rows.is_empty() {
            return Err(Error::NoRows);
        }
        Ok(Self {
            rows,
            query: warehouse.catalogue().query(query)?.full_name(),
            candidate: question.candidate.to_owned(),
            baseline: question.baseline.map(str::to_owned),
        })
    }

    /// How it ended as a whole.
    pub fn total(&self) -> Result<Total> {
        match self.first()?.text("total_verdict")? {
            "pass" => Ok(Total::Pass),
            "fail" => Ok(Total::Fail),
            _ => Ok(Total::Inconclusive),
        }
    }

    /// The line of the attempts file, without the time.
    pub fn record(&self) -> Result<Json> {
        let names = ["check_name", "rule", "dataset_id", "approach", "metric", "verdict", "reason", "note"];
        let short = |row: &Row| -> Json {
            let kept = names.iter().filter_map(|name| Some(((*name).to_owned(), object(row).get(*name)?.clone())));
            Json::Object(kept.collect())
        };
        let first = object(self.first()?);
        let mut record = json!({"candidate": self.candidate, "baseline": self.baseline, "query": self.query});
        for name in TOTALS {
            record[name] = first[name].clone();
        }
        record["rows"] = self.rows.rows.iter().map(short).collect();
        Ok(record)
    }

    /// Everything as JSON: the totals, then the rows with the sentence of each.
    pub fn document(&self, templates: &Templates, exit_code: u8) -> Result<Json> {
        let first = object(self.first()?);
        let mut document = json!({"candidate": self.candidate, "baseline": self.baseline, "exit_code": exit_code, "query": self.query});
        for name in TOTALS {
            document[name] = first[name].clone();
        }
        let row = |row: &Row| -> Result<Json> {
            let mut object = object(row);
            if let Json::Object(map) = &mut object {
                TOTALS.iter().for_each(|name| drop(map.shift_remove(*name)));
                map.insert("message".to_owned(), message(templates, row)?.into());
            }
            Ok(object)
        };
        document["rows"] = self.rows.rows.iter().map(row).collect::<Result<_>>()?;
        Ok(document)
    }

    /// The verdict for a terminal.
    pub fn text(&self, templates: &Templates) -> Result<String> {
        templates.render("terminal/gate.txt", &self.values(templates, clean)?)
    }

    /// The verdict as JUnit XML; `is_open_failure` tells what could not be decided as a failure.
    pub fn junit(&self, templates: &Templates, is_open_failure: bool) -> Result<String> {
        let mut values = self.values(templates, escape::html)?;
        let mut cases: Vec<Json> = values["rows"].as_array().cloned().unwrap_or_default();
        cases.push(templates.render("gate/total.txt", &values).map(|message| {
            json!({
                "check_name": "gate",
                "title": "total",
                "rule": "total",
                "verdict": values["total"]["total_verdict"],
                "is_required": true,
                "message": message.trim_end(),
            })
        })?);
        for case in &mut cases {
            let is_open = ["inconclusive", "not_run"].iter().any(|verdict| case["verdict"] == *verdict);
            let is_failure = case["is_required"] == true && (case["verdict"] == "fail" || is_open && is_open_failure);
            let outcome = match (case["verdict"] == "pass", is_failure) {
                (true, _) => "passed",
                (false, true) => "failure",
                (false, false) => "skipped",
            };
            case["outcome"] = outcome.into();
        }
        values["cases"] = cases.into();
        templates.render("gate/junit.xml", &values)
    }

    /// The verdict as one HTML file.
    pub fn html(&self, templates: &Templates, exit_code: u8) -> Result<String> {
        let mut values = self.values(templates, escape::html)?;
        values["exit_code"] = exit_code.into();
        templates.render("gate/gate.html", &values)
    }

    fn first(&self) -> Result<&Row> {
        self.rows.rows.first().ok_or(Error::NoRows)
    }

    /// What all templates are given; every text goes through `safe`.
    fn values(&self, templates: &Templates, safe: impl Fn(&str) -> String) -> Result<Json> {
        let safely = |value: Json| match value {
            Json::String(text) => Json::String(safe(&text)),
            other => other,
        };
        let mut rows = Vec::new();
        for row in &self.rows.rows {
            let Json::Object(map) = object(row) else { continue };
            let mut shown: Map<String, Json> = map.into_iter().map(|(name, value)| (name, safely(value))).collect();
            let names = ["rule", "metric", "approach", "dataset_id"].map(|name| row.text_or_null(name));
            let names: Vec<&str> = names.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
            shown.insert("title".to_owned(), safe(&names.join(" ")).into());
            shown.insert("label".to_owned(), format!("{:<16}", row.text("verdict")?.replace('_', " ")).into());
            shown.insert("message".to_owned(), safe(&message(templates, row)?).into());
            rows.push(Json::Object(shown));
        }
        let first = self.first()?;
        let share = first.float_or_null("false_pass_ratio")?.map(|ratio| format!("{:.1} %", ratio * 100.0));
        Ok(json!({
            "candidate": safe(&self.candidate),
            "baseline": self.baseline.as_deref().map(&safe),
            "query": self.query,
            "total": object(first),
            "is_heuristic": self.rows.rows.iter().any(is_heuristic),
            "false_pass": share,
            "pass_level": first.float_or_null("pass_alpha")?.map(level),
            "fail_level": first.float_or_null("fail_alpha")?.map(level),
            "rows": rows,
        }))
    }
}

/// Columns that say the same on every row.
const TOTALS: [&str; 12] = [
    "total_verdict",
    "passed_n",
    "failed_n",
    "inconclusive_n",
    "advisory_n",
    "attempt_n",
    "looks_n",
    "looks_max",
    "false_pass_ratio",
    "pass_alpha",
    "fail_alpha",
    "evidence",
];

/// The level of a limit, without digits that say nothing.
fn level(alpha: f64) -> String {
    let text = format!("{alpha:.6}");
    text.trim_end_matches('0').to_owned()
}

/// The sentence of one row, its names as they are.
fn message(templates: &Templates, row: &Row) -> Result<String> {
    let mut values = object(row);
    let limit = row.float_or_null("limit_value")?;
    let rule = row.text("rule")?;
    let is_change = ["margin", "robust", "better_than_baseline"].contains(&rule);
    let is_log = row.text_or_null("scale")? == Some("log");
    // What a change is held against: the margin below no change, as a difference or as a multiple.
    let bar = match (is_change, is_log) {
        (false, _) => limit,
        (true, false) => limit.map(|margin| -margin),
        (true, true) => limit.map(|margin| 1.0 + margin),
    };
    for name in ["observed", "lower", "upper", "baseline_coverage"] {
        let text = row.float_or_null(name)?.map(|number| match (is_change && !is_log, number == 0.0) {
            (true, true) => signed(Some(number)),
            (true, false) if number > 0.0 => format!("+{}", told_apart(number, bar)),
            _ => told_apart(number, bar),
        });
        values[name] = text.into();
    }
    values["limit_value"] = limit.map(|limit| crate::json::float_text(limit).trim_end_matches(".0").to_owned()).into();
    values["is_paired"] = is_change.into();
    values["is_log"] = is_log.into();
    Ok(templates.render("gate/message.txt", &values)?.trim_end().to_owned())
}
