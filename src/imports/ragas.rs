//! Results of Ragas, as CSV or as JSON Lines: a row for each sample, a column for each metric.
//!
//! Contexts in a CSV are what Python prints for a list. Every column that is not a known part of a sample is a metric;
//! an empty cell is a score that Ragas did not give, or contexts that it does not tell.

use super::record::{Record, untitled};
use crate::json;
use serde_json::{Map, Value};

/// Parts of a sample, by their present and their former names.
const PARTS: [&str; 12] = [
    "user_input",
    "question",
    "retrieved_contexts",
    "contexts",
    "response",
    "answer",
    "reference",
    "ground_truth",
    "ground_truths",
    "reference_contexts",
    "id",
    "question_id",
];

pub fn records_of_lines(text: &str) -> Result<Vec<Record>, String> {
    let lines = text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty());
    let record = |(index, line): (usize, &str)| match json::parse_strict(line) {
        Ok(Value::Object(sample)) => record(&sample, index + 1),
        Ok(_) => Err(format!("line {} is not an object", index + 1)),
        Err(error) => Err(format!("line {} is not strict JSON: {}", index + 1, error.message)),
    };
    lines.map(record).collect()
}

pub fn records_of_csv(text: &str) -> Result<Vec<Record>, String> {
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    if !header.iter().any(|name| ["user_input", "question"].contains(&name)) {
        return Err("it has no column `user_input` or `question`".to_owned());
    }
    let mut records = Vec::new();
    for (index, row) in reader.records().enumerate() {
        let row = row.map_err(|error| error.to_string())?;
        let mut sample = Map::new();
        for (name, cell) in header.iter().zip(&row).filter(|(name, _)| !name.is_empty()) {
            let value = match name {
                "retrieved_contexts" | "contexts" if !cell.trim().is_empty() => {
                    let contexts = python_list(cell);
                    let contexts = contexts.ok_or_else(|| format!("record {}: `{name}` is no list", index + 1))?;
                    contexts.into()
                }
                "retrieved_contexts" | "contexts" => Value::Null,
                _ if PARTS.contains(&name) => cell.into(),
                _ if cell.is_empty() => Value::Null,
                _ => cell.parse::<f64>().map_or_else(|_| cell.into(), Value::from),
            };
            sample.insert(name.to_owned(), value);
        }
        records.push(record(&sample, index + 1)?);
    }
    Ok(records)
}

fn record(sample: &Map<String, Value>, number: usize) -> Result<Record, String> {
    let text = |names: &[&str]| names.iter().find_map(|name| sample.get(*name)?.as_str().map(str::to_owned));
    let told = ["retrieved_contexts", "contexts"].iter().find_map(|name| sample.get(*name)?.as_array());
    let contexts: Vec<String> = told.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let mut record = Record {
        question_id: text(&["id", "question_id"]).unwrap_or_else(|| number.to_string()),
        query: text(&["user_input", "question"]).ok_or_else(|| format!("sample {number} has no question"))?,
        ground_truth: text(&["reference", "ground_truth"]).filter(|text| !text.is_empty()),
        answer: text(&["response", "answer"]).unwrap_or_default(),
        sources: untitled(&contexts),
        contexts,
        tells_contexts: told.is_some(),
        ..Record::default()
    };
    for (metric, value) in sample.iter().filter(|(name, _)| !PARTS.contains(&name.as_str())) {
        match value {
            Value::Number(score) => match score.as_f64().filter(|score| score.is_finite()) {
                Some(score) => record.scores.push((metric.clone(), score)),
                None => record.unscored.push((metric.clone(), "score_not_finite".to_owned())),
            },
            Value::Null => record.unscored.push((metric.clone(), "score_missing_or_null".to_owned())),
            // Words beside the scores, for instance a reason.
            _ => {}
        }
    }
    Ok(record)
}

/// The texts of a list as Python prints it, or as JSON. Null for anything else.
fn python_list(text: &str) -> Option<Vec<String>> {
    let inner = text.trim();
    let inner = inner.strip_prefix('[')?.strip_suffix(']')?;
    let mut items = Vec::new();
    let mut characters = inner.chars().peekable();
    loop {
        while characters.peek().is_some_and(|c| c.is_whitespace() || *c == ',') {
            characters.next();
        }
        let Some(quote) = characters.next() else { return Some(items) };
        if quote != '\'' && quote != '"' {
            return None;
        }
        let mut item = String::new();
        loop {
            match characters.next()? {
                c if c == quote => break,
                '\\' => item.push(match characters.next()? {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'x' => escaped(&mut characters, 2)?,
                    'u' => escaped(&mut characters, 4)?,
                    'U' => escaped(&mut characters, 8)?,
                    other => other,
                }),
                c => item.push(c),
            }
        }
        items.push(item);
    }
}

fn escaped(characters: &mut impl Iterator<Item = char>, digits: usize) -> Option<char> {
    let hex: String = characters.take(digits).collect();
    char::from_u32(u32::from_str_radix(&hex, 16).ok().filter(|_| hex.len() == digits)?)
}

#[cfg(test)]
mod tests {
    use super::python_list;

    #[test]
    fn lists_are_read_as_python_prints_them() {
        let read = |text: &str| python_list(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(read(r#"['a, b', "it's", 'x\'y\n', '\xe9\u20ac']"#), ["a, b", "it's", "x'y\n", "é€"]);
        assert_eq!(read(r#"["a", "b"]"#), ["a", "b"]);
        assert!(read("[]").is_empty());
        for wrong in ["", "a", "['a", "[a]", "[1, 2]"] {
            assert!(python_list(wrong).is_none(), "{wrong}");
        }
    }
}
