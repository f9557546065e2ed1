//! Judgment files into base tables.
//!
//! Reads one judgments file (`contract/evaluation.md` sections 5.5 and 6.5) and writes what it says, or why it cannot
//! be used. A damaged file is a fact to store, never a failure of the summary that wanted it.

use super::connection::{Parameter, Warehouse};
use super::ingest::{Position, probe};
use super::{Error, Result, file_key};
use crate::json;
use serde_json::{Map, Value};
use std::path::Path;

/// A judgments file, read as far as it goes.
#[derive(Debug, Default, PartialEq)]
pub struct Judgments {
    /// Its `status` when that is text.
    pub status: Option<String>,
    /// Its own `error` when that is non-empty text.
    pub error_text: Option<String>,
    /// Whether it names a dataset at all.
    pub dataset_given: bool,
    /// The dataset, when it is text.
    pub dataset_id: Option<String>,
    /// Names of the judges.
    pub judges: Vec<String>,
    /// Why nothing of it can be used.
    pub read_problem: Option<String>,
    /// Why its queries cannot be used.
    pub queries_problem: Option<String>,
    /// (question, approach, mean), in the order of the file; empty when there is a problem.
    pub means: Vec<(String, String, f64)>,
    /// What each judge said.
    pub verdicts: Vec<Verdict>,
}

/// One judge on one answer, or on a whole question when it gave no usable verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    pub question_id: String,
    pub judge: String,
    pub approach: Option<String>,
    pub score: Option<f64>,
    pub is_best: Option<bool>,
    pub state: &'static str,
    pub reason: Option<String>,
}

impl Judgments {
    /// Reads the bytes of a file; every problem becomes part of the result.
    pub fn read(bytes: &[u8]) -> Self {
        let unreadable = |reason: String| Self { read_problem: Some(reason), ..Self::default() };
        let Ok(text) = std::str::from_utf8(bytes) else { return unreadable("the judgments are not UTF-8".to_owned()) };
        match json::parse_strict(text) {
            Ok(Value::Object(root)) => Self::from_object(&root),
            Ok(_) => unreadable("the judgments are not a JSON object".to_owned()),
            Err(error) => unreadable(format!("the judgments are not JSON: line {}: {error}", error.line)),
        }
    }

    fn from_object(root: &Map<String, Value>) -> Self {
        let text = |key: &str| root.get(key).and_then(Value::as_str).map(str::to_owned);
        let judges = root.get("judges").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let (means, queries_problem) = match means(root.get("queries")) {
            Ok(means) => (means, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        Self {
            status: text("status"),
            error_text: text("error").filter(|error| !error.is_empty()),
            dataset_given: root.get("dataset_id").is_some_and(is_truthy),
            dataset_id: text("dataset_id"),
            judges: judges.iter().map(text_of).collect(),
            read_problem: None,
            queries_problem,
            means,
            verdicts: verdicts(root.get("queries")),
        }
    }
}

/// Collects all means, or says which one cannot be used: then none is.
fn means(queries: Option<&Value>) -> Result<Vec<(String, String, f64)>, String> {
    let mut means = Vec::new();
    let queries = match queries {
        None => return Ok(means),
        Some(Value::Array(queries)) => queries,
        Some(_) => return Err("`queries` is not a list".to_owned()),
    };
    for (index, query) in queries.iter().enumerate() {
        let Value::Object(query) = query else { return Err(format!("entry {} of `queries` is not a map", index + 1)) };
        let question_id = question_id(query);
        let by_approach = match query.get("mean_by_approach") {
            Some(Value::Object(by_approach)) => by_approach,
            Some(other) if is_truthy(other) => {
                return Err(format!("`mean_by_approach` of question `{question_id}` is not a map"));
            }
            _ => continue,
        };
        for (approach, value) in by_approach {
            let mean = mean(value).ok_or_else(|| {
                format!("the mean of `{approach}` for question `{question_id}` is not a finite number")
            })?;
            means.push((question_id.clone(), approach.clone(), mean));
        }
    }
    Ok(means)
}

/// A number, or text that is one.
fn mean(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        // Rust also reads `inf` and `nan`; only finite values pass below.
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|mean| mean.is_finite())
}

fn verdicts(queries: Option<&Value>) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let queries = queries.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for query in queries.iter().filter_map(Value::as_object) {
        let question_id = question_id(query);
        let per_judge = query.get("per_judge").and_then(Value::as_object);
        for (judge, verdict) in per_judge.into_iter().flatten() {
            let Some(scores) = verdict.get("scores").and_then(Value::as_object) else {
                let reason = verdict.get("error").and_then(Value::as_str).unwrap_or("no verdict");
                verdicts.push(Verdict {
                    question_id: question_id.clone(),
                    judge: judge.clone(),
                    approach: None,
                    score: None,
                    is_best: None,
                    state: if reason.ends_with("Timeout") { "timeout" } else { "error" },
                    reason: Some(reason.to_owned()),
                });
                continue;
            };
            let best = verdict.get("best").and_then(Value::as_str);
            for (approach, value) in scores {
                let score = value.as_f64().filter(|score| (1.0..=5.0).contains(score));
                let said = verdict.get("reason").filter(|reason| !reason.is_null()).map(text_of);
                verdicts.push(Verdict {
                    question_id: question_id.clone(),
                    judge: judge.clone(),
                    approach: Some(approach.clone()),
                    score,
                    is_best: Some(best == Some(approach)),
                    state: if score.is_some() { "scored" } else { "error" },
                    reason: if score.is_some() {
                        said
                    } else {
                        Some(format!("`{}` is no score of 1 to 5", text_of(value)))
                    },
                });
            }
        }
    }
    verdicts
}

fn question_id(query: &Map<String, Value>) -> String {
    query.get("query_id").filter(|id| !id.is_null()).map(text_of).unwrap_or_default()
}

/// Text as it is, everything else as its JSON text.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| json::compact(value).unwrap_or_default(), str::to_owned)
}

/// What the contract calls truthy: not null, not false, not zero, not empty.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

impl Warehouse<'_> {
    /// Brings what is known of one judgments file up to date with the file; `run_id` names the judged run when known.
    ///
    /// An unreadable file is stored with its reason.
    pub fn ingest_judgments(&self, path: &Path, run_id: Option<&str>) -> Result<Judgments> {
        let key = file_key(path);
        let (judgments, bytes) = match std::fs::read(path) {
            Ok(bytes) => (Judgments::read(&bytes), bytes.len() as u64),
            Err(error) => {
                let problem = format!("the judgments cannot be read: {}", error.kind());
                (Judgments { read_problem: Some(problem), ..Judgments::default() }, 0)
            }
        };
        let unreadable = |source| Error::File { action: "read", path: path.to_owned(), source };
        let probe = probe(path, bytes).map_err(unreadable)?.unwrap_or_default();
        self.transaction(|| {
            let file_id = match self.known_file(&key)? {
                Some(known) => known.file_id,
                None => self.next_file_id()?,
            };
            self.forget_file(file_id)?;
            self.store_judgments(file_id, run_id, &judgments)?;
            self.record_file(file_id, &key, "judgments", Position { bytes, lines: 0 }, &probe)
        })?;
        Ok(judgments)
    }

    fn store_judgments(&self, file_id: i32, run_id: Option<&str>, judgments: &Judgments) -> Result<()> {
        let file = ("file_id", Parameter::Integer(file_id.into()));
        let text = |value: &Option<String>| Parameter::from(value.as_deref());
        self.query(
            "ingest/add_judgment",
            &[
                file.clone(),
                ("run_id", run_id.into()),
                ("status", text(&judgments.status)),
                ("error_text", text(&judgments.error_text)),
                ("dataset_given", Parameter::Integer(judgments.dataset_given.into())),
                ("dataset_id", text(&judgments.dataset_id)),
                ("read_problem", text(&judgments.read_problem)),
                ("queries_problem", text(&judgments.queries_problem)),
            ],
        )?;
        for (index, judge) in judgments.judges.iter().enumerate() {
            let position = ("position", Parameter::Integer(index as i64 + 1));
            self.query("ingest/add_judge_model", &[file.clone(), position, ("judge", judge.as_str().into())])?;
        }
        let (means, verdicts) = super::batch::judgments(file_id, judgments)
            .map_err(|error| Error::Statement { query: "append judgments".to_owned(), reason: error.to_string() })?;
        self.append("judge_mean", means)?;
        self.append("judge_verdict", verdicts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Judgments {
        Judgments::read(text.as_bytes())
    }

    #[test]
    fn a_file_that_is_no_object_has_a_reason_and_nothing_else() {
        for text in ["[]", "", "{\"a\":1,\"a\":2}", "{\"x\":NaN}", "\u{feff}{}"] {
            let judgments = read(text);
            assert!(judgments.read_problem.is_some(), "{text}");
            assert!(judgments.judges.is_empty() && judgments.means.is_empty());
        }
        assert!(Judgments::read(b"{\"a\": \"\xff\"}").read_problem.is_some());
    }

    #[test]
    fn one_unusable_mean_discards_all_of_them() {
        for bad in ["true", "null", "\"4/5\"", "\"nan\"", "\"inf\"", "[]", "\"\""] {
            let judgments = read(&format!(
                "{{\"queries\":[{{\"query_id\":\"q\",\"mean_by_approach\":{{\"a\":4,\"b\":\" 3.25 \"}}}},\
                 {{\"mean_by_approach\":{{\"a\":{bad}}}}}]}}"
            ));
            assert!(judgments.means.is_empty() && judgments.queries_problem.is_some(), "{bad}");
        }
    }

    #[test]
    fn numeric_text_counts_and_empty_means_are_skipped() {
        let judgments = read(
            "{\"queries\":[{\"query_id\":\"q\",\"mean_by_approach\":{\"a\":4,\"b\":\" 3.25 \"}},\
             {\"query_id\":\"r\",\"mean_by_approach\":[]},{\"mean_by_approach\":{\"a\":1}}]}",
        );
        let expected = [("q", "a", 4.0), ("q", "b", 3.25), ("", "a", 1.0)];
        assert_eq!(judgments.means, expected.map(|(q, a, mean)| (q.to_owned(), a.to_owned(), mean)));
    }

    #[test]
    fn a_verdict_outside_the_scale_has_no_score_and_says_why() {
        let judgments = read(
            "{\"queries\":[{\"query_id\":\"q\",\"per_judge\":{\"j\":{\"scores\":{\"a\":42,\"b\":5},\"best\":\"b\",\
             \"reason\":\"good\"},\"k\":{\"error\":\"no valid verdict\"}}}]}",
        );
        let states: Vec<_> = judgments.verdicts.iter().map(|verdict| (verdict.state, verdict.score)).collect();
        assert_eq!(states, [("error", None), ("scored", Some(5.0)), ("error", None)]);
        assert_eq!(judgments.verdicts[0].reason.as_deref(), Some("`42` is no score of 1 to 5"));
        assert_eq!(judgments.verdicts[1].is_best, Some(true));
    }
}
