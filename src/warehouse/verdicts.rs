//! The verdict sidecar of the panel into base tables.
//!
//! Reads `<stem>.verdicts.jsonl`, one verdict a line; writes what was shown, what came back and why something is
//! missing. The bytes behind the last LF are a verdict in the making and left alone; a damaged whole line is an error.

use super::batch;
use super::connection::Warehouse;
use super::ingest::{Position, probe};
use super::{Error, Result, file_key};
use crate::json;
use serde_json::{Map, Value};
use std::path::Path;

const SCHEMA_VERSION: i64 = 1;
const DIRECTIONS: [&str; 3] = ["forward", "reverse", "canary"];
const STATES: [&str; 3] = ["scored", "incomplete", "unscored"];

/// One line of a sidecar.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelVerdict {
    /// One-based.
    pub line: i64,
    pub run_id: Option<String>,
    pub dataset_id: Option<String>,
    pub question_id: String,
    pub judge: String,
    /// `forward`, `reverse` or `canary`.
    pub direction: String,
    pub order_rule: String,
    pub order_seed: Option<String>,
    /// `scored`, `incomplete` or `unscored`.
    pub state: String,
    /// Why nobody is scored.
    pub reason: Option<String>,
    pub detail: String,
    pub parse: Option<String>,
    pub best: Option<String>,
    /// The judge's words; other types as their JSON text.
    pub remark: Option<String>,
    pub attempts_n: i64,
    /// Of all attempts together.
    pub latency_ms: i64,
    /// In the order shown.
    pub answers: Vec<PanelAnswer>,
}

/// One answer that a judge was shown.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelAnswer {
    pub label: String,
    pub approach: String,
    /// 1 to 5; null when there is none.
    pub score: Option<f64>,
    /// Why there is no score; null when there is one, or when nobody is scored.
    pub reason: Option<String>,
}

impl Warehouse<'_> {
    /// Brings what is known of one verdict sidecar up to date with the file; returns how many verdicts it holds.
    ///
    /// The first damaged line is an error and leaves what was known untouched; a missing file holds none.
    pub fn ingest_verdicts(&self, path: &Path) -> Result<usize> {
        let failed = |source| Error::File { action: "read", path: path.to_owned(), source };
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed(error)),
        };
        let whole_n = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let verdicts =
            read_all(&bytes[..whole_n]).map_err(|(line, reason)| Error::Row { path: path.to_owned(), line, reason })?;
        let key = file_key(path);
        let probe = probe(path, whole_n as u64).map_err(failed)?.unwrap_or_default();
        self.transaction(|| {
            let file_id = match self.known_file(&key)? {
                Some(known) => known.file_id,
                None => self.next_file_id()?,
            };
            self.forget_file(file_id)?;
            let (lines, answers) = batch::panel(file_id, &verdicts)
                .map_err(|error| Error::Statement { query: "append verdicts".to_owned(), reason: error.to_string() })?;
            self.append("panel_verdict", lines)?;
            self.append("panel_score", answers)?;
            let end = Position { bytes: whole_n as u64, lines: verdicts.len() as u64 };
            self.record_file(file_id, &key, "verdicts", end, &probe)
        })?;
        Ok(verdicts.len())
    }
}

fn read_all(bytes: &[u8]) -> Result<Vec<PanelVerdict>, (u64, String)> {
    let mut verdicts = Vec::new();
    for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        verdicts.push(read_line(number, line).map_err(|reason| (number.unsigned_abs(), reason))?);
    }
    Ok(verdicts)
}

fn read_line(number: i64, bytes: &[u8]) -> Result<PanelVerdict, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("is not UTF-8: {error}"))?;
    let value = json::parse_strict(text).map_err(|error| error.to_string())?;
    let Value::Object(line) = value else { return Err("is not a JSON object".to_owned()) };
    let version = line.get("schema_version").and_then(Value::as_i64);
    if version != Some(SCHEMA_VERSION) {
        return Err(format!("`schema_version` is not {SCHEMA_VERSION}"));
    }
    let attempts = list(&line, "attempts")?;
    Ok(PanelVerdict {
        line: number,
        run_id: text_or_null(&line, "run_id")?,
        dataset_id: text_or_null(&line, "dataset_id")?,
        question_id: text_of(&line, "question_id")?,
        judge: text_of(&line, "judge")?,
        direction: one_of(&line, "direction", &DIRECTIONS)?,
        order_rule: text_of(&line, "order_rule")?,
        order_seed: text_or_null(&line, "order_seed")?,
        state: one_of(&line, "state", &STATES)?,
        reason: text_or_null(&line, "reason")?,
        detail: text_of(&line, "detail")?,
        parse: text_or_null(&line, "parse")?,
        best: text_or_null(&line, "best")?,
        remark: match line.get("remark") {
            None | Some(Value::Null) => None,
            Some(Value::String(remark)) => Some(remark.clone()),
            Some(other) => Some(json::compact(other).map_err(|error| error.to_string())?),
        },
        attempts_n: i64::try_from(attempts.len()).unwrap_or(i64::MAX),
        latency_ms: attempts.iter().try_fold(0_i64, |sum, attempt| {
            let latency = attempt.get("latency_ms").and_then(Value::as_i64).filter(|latency| *latency >= 0);
            let latency = latency.ok_or("an attempt has no `latency_ms`")?;
            sum.checked_add(latency).ok_or("the latencies of the attempts are too large")
        })?,
        answers: answers(&line)?,
    })
}

/// Puts the scores behind the answers in the order shown; an answer without an entry has neither score nor reason.
fn answers(line: &Map<String, Value>) -> Result<Vec<PanelAnswer>, String> {
    let (order, labels) = (texts(line, "order")?, texts(line, "labels")?);
    if order.len() != labels.len() {
        return Err(format!("{} answers were shown under {} labels", order.len(), labels.len()));
    }
    let pairs = order.into_iter().zip(labels);
    let mut answers: Vec<PanelAnswer> =
        pairs.map(|(approach, label)| PanelAnswer { label, approach, score: None, reason: None }).collect();
    let mut is_filled = vec![false; answers.len()];
    for entry in list(line, "scores")? {
        let Value::Object(entry) = entry else { return Err("an entry of `scores` is not a map".to_owned()) };
        let (label, approach) = (text_of(entry, "label")?, text_of(entry, "approach")?);
        let place = answers.iter().position(|shown| shown.label == label && shown.approach == approach);
        let place = place.ok_or_else(|| format!("`{approach}` was not shown under the label `{label}`"))?;
        if std::mem::replace(&mut is_filled[place], true) {
            return Err(format!("the label `{label}` is scored twice"));
        }
        answers[place].reason = text_or_null(entry, "reason")?;
        answers[place].score = match entry.get("score") {
            None | Some(Value::Null) => None,
            Some(value) => {
                let score = value.as_f64().filter(|score| (1.0..=5.0).contains(score));
                Some(score.ok_or_else(|| format!("the score of `{approach}` is not a number of 1 to 5"))?)
            }
        };
        if answers[place].score.is_some() == answers[place].reason.is_some() {
            return Err(format!("`{approach}` needs either a score or a reason"));
        }
    }
    Ok(answers)
}

fn text_or_null(map: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{key}` is not text")),
    }
}

fn text_of(map: &Map<String, Value>, key: &str) -> Result<String, String> {
    text_or_null(map, key)?.ok_or_else(|| format!("`{key}` is missing"))
}

fn one_of(map: &Map<String, Value>, key: &str, known: &[&str]) -> Result<String, String> {
    let text = text_of(map, key)?;
    if known.contains(&text.as_str()) { Ok(text) } else { Err(format!("`{key}` is `{text}`, not one of {known:?}")) }
}

fn list<'map>(map: &'map Map<String, Value>, key: &str) -> Result<&'map [Value], String> {
    map.get(key).and_then(Value::as_array).map(Vec::as_slice).ok_or_else(|| format!("`{key}` is not a list"))
}

fn texts(map: &Map<String, Value>, key: &str) -> Result<Vec<String>, String> {
    let items = list(map, key)?.iter();
    items.map(|item| item.as_str().map(str::to_owned).ok_or_else(|| format!("`{key}` holds more than text"))).collect()
}
