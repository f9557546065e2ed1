//! Logs of Inspect: one JSON file, or an archive `.eval` with a header and a file for each sample.
//!
//! Letters count as Inspect counts them: `C` 1, `P` 0.5, `I` and `N` 0. A sample of a later epoch is a question of its own,
//! because repeats of one cell would otherwise stand in one place.

use super::record::{Record, milliseconds, usage};
use crate::json;
use serde_json::Value;
use std::io::{Cursor, Read as _};
use zip::ZipArchive;

/// The largest part of an archive that is read, in bytes.
const PART_LIMIT_BYTES: u64 = 256 * 1024 * 1024;

pub fn records_of_json(text: &str) -> Result<Vec<Record>, String> {
    let whole = parse(text, "the log")?;
    let samples = whole.get("samples").and_then(Value::as_array).ok_or("it has no list `samples`")?;
    samples.iter().enumerate().map(|(index, sample)| record(sample, index, &whole)).collect()
}

pub fn records_of_archive(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| format!("it is no archive: {error}"))?;
    let names: Result<Vec<String>, _> = archive.file_names().map(|name| name.map(|name| name.into_owned())).collect();
    let names = names.map_err(|error| format!("the archive names a file that cannot be read: {error}"))?;
    let mut read = |name: &str| -> Result<Value, String> {
        let part = archive.by_name(name).map_err(|error| format!("`{name}` cannot be read: {error}"))?;
        let mut text = String::new();
        let mut part = part.take(PART_LIMIT_BYTES);
        part.read_to_string(&mut text).map_err(|error| format!("`{name}` cannot be read: {error}"))?;
        if part.limit() == 0 {
            return Err(format!("`{name}` is larger than {PART_LIMIT_BYTES} bytes"));
        }
        parse(&text, &format!("`{name}`"))
    };
    let header = match names.iter().find(|name| *name == "header.json") {
        Some(name) => read(name)?,
        // A log that was not finished has its start alone.
        None => read("_journal/start.json")?,
    };
    let mut samples: Vec<&String> =
        names.iter().filter(|name| name.starts_with("samples/") && name.ends_with(".json")).collect();
    samples.sort();
    samples.into_iter().enumerate().map(|(index, name)| record(&read(name)?, index, &header)).collect()
}

fn parse(text: &str, what: &str) -> Result<Value, String> {
    json::parse_strict(text)
        .map_err(|error| format!("{what} is not strict JSON, line {}: {}", error.line, error.message))
}

fn record(sample: &Value, index: usize, log: &Value) -> Result<Record, String> {
    let id = match sample.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => return Err(format!("sample {} has no `id`", index + 1)),
    };
    let epoch = sample.get("epoch").and_then(Value::as_u64).unwrap_or(1);
    let eval = |pointer: &str| log.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let output = sample.get("output").cloned().unwrap_or_default();
    let mut record = Record {
        dataset: eval("/eval/task"),
        question_id: if epoch > 1 { format!("{id} (epoch {epoch})") } else { id },
        query: words(sample.get("input")),
        ground_truth: Some(words(sample.get("target"))).filter(|text| !text.is_empty()),
        approach: eval("/eval/model"),
        answer: words(output.pointer("/choices/0/message/content").or_else(|| output.get("completion"))),
        latency_ms: milliseconds(["working_time", "total_time"].iter().find_map(|key| sample.get(*key)?.as_f64())),
        token_usage: usage(output.get("usage"), "input_tokens", "output_tokens", "total_tokens"),
        model: output.get("model").and_then(Value::as_str).map(str::to_owned),
        ..Record::default()
    };
    if let Some(error) = sample.get("error").filter(|error| error.is_object()) {
        let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
        record.error = Some(("InspectError".to_owned(), message.to_owned()));
        record.answer.clear();
    }
    for (scorer, score) in sample.get("scores").and_then(Value::as_object).into_iter().flatten() {
        match score.get("value") {
            Some(Value::Object(parts)) => {
                for (part, value) in parts {
                    add(&mut record, format!("{scorer}/{part}"), value);
                }
            }
            Some(value) => add(&mut record, scorer.clone(), value),
            None => record.unscored.push((scorer.clone(), "score_missing_or_null".to_owned())),
        }
    }
    Ok(record)
}

fn add(record: &mut Record, metric: String, value: &Value) {
    let score = match value {
        Value::Number(number) => number.as_f64(),
        Value::Bool(passed) => Some(f64::from(u8::from(*passed))),
        Value::String(letter) => match letter.as_str() {
            "C" => Some(1.0),
            "P" => Some(0.5),
            "I" | "N" => Some(0.0),
            _ => None,
        },
        _ => None,
    };
    match score.filter(|score| score.is_finite()) {
        Some(score) => record.scores.push((metric, score)),
        None => record.unscored.push((metric, "score_not_numeric".to_owned())),
    }
}

/// A text, the texts of a list, or what the person said in a list of messages.
fn words(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => {
            let is_said = |item: &&Value| item.get("role").is_none_or(|role| role == "user");
            let texts = items.iter().filter(is_said).map(|item| match item {
                Value::String(text) => text.clone(),
                other => words(other.get("content").or_else(|| other.get("text"))),
            });
            texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
