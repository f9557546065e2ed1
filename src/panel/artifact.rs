//! The `-judgments.json` artifact (`contract/evaluation.md` section 5.5).
//!
//! Reads the input and the verdicts, writes the document. Key order is part of the format. What the earlier format has
//! no place for is added only where there is something to say: `unscored` in a verdict, `directions` when judges were
//! asked twice, `tied_winners` when the winner was decided by name. Canary verdicts never enter.

use super::aggregate::{LastTieBreak, aggregate, number};
use super::input::{Input, Question};
use super::settings::Settings;
use super::verdict::{AnswerScore, Direction, Verdict};
use crate::json::{self, WriteError};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// The start of every `error` text in place of a verdict.
const NO_VERDICT: &str = "no valid verdict";

/// The document of a panel that ran.
pub fn judgments(input: &Input, settings: &Settings, verdicts: &[Verdict]) -> Value {
    let mut by_key: HashMap<(&str, &str), Vec<&Verdict>> = HashMap::new();
    for verdict in verdicts.iter().filter(|verdict| verdict.direction != Direction::Canary) {
        by_key.entry((&verdict.question_id, &verdict.judge)).or_default().push(verdict);
    }
    let queries: Vec<Value> = input
        .questions
        .iter()
        .map(|question| {
            let per_judge = settings
                .judges
                .iter()
                .map(|judge| {
                    let heard = by_key.get(&(question.id.as_str(), judge.as_str())).map_or(&[][..], Vec::as_slice);
                    (judge.clone(), entry(heard))
                })
                .collect();
            query(question, per_judge)
        })
        .collect();
    with_ingestion(
        input,
        json!({
            "status": "ok",
            "dataset_id": input.dataset_id,
            "judges": settings.judges,
            "runtime": settings.runtime(),
            "queries": queries,
        }),
    )
}

/// The document of a panel that is switched off.
pub fn disabled(input: &Input) -> Value {
    with_ingestion(input, json!({"status": "disabled", "dataset_id": input.dataset_id, "judges": [], "queries": []}))
}

/// The bytes of a document: two-space indents and a final newline.
pub fn encode(document: &Value) -> Result<String, WriteError> {
    Ok(json::pretty(document)? + "\n")
}

fn with_ingestion(input: &Input, mut document: Value) -> Value {
    if !input.ingestion.is_empty() {
        document["ingestion"] = Value::Object(input.ingestion.clone());
    }
    document
}

fn query(question: &Question, per_judge: Map<String, Value>) -> Value {
    let found = aggregate(&per_judge, LastTieBreak::Name);
    let mut query = json!({
        "query_id": question.id,
        "query": question.query,
        "expect_winner": question.expect_winner,
        "per_judge": per_judge,
        "mean_by_approach": found.means,
        "votes": found.votes,
        "observed_winner": found.winner,
    });
    if found.leaders.len() > 1 {
        query["tied_winners"] = found.leaders.into();
    }
    query
}

/// What one judge said about one question, over one direction or two.
fn entry(heard: &[&Verdict]) -> Value {
    match heard {
        [] => json!({"error": NO_VERDICT}),
        [one] => single(one),
        several => both(several),
    }
}

fn single(verdict: &Verdict) -> Value {
    if let Some(reason) = verdict.reason {
        return json!({"error": format!("{NO_VERDICT}: {reason}")});
    }
    let scores: Map<String, Value> =
        verdict.scores.iter().filter_map(|entry| Some((entry.approach.clone(), number(entry.score?)))).collect();
    let unscored: Map<String, Value> =
        verdict.scores.iter().filter(|entry| entry.score.is_none()).map(unscored).collect();
    let mut value = json!({"scores": scores, "best": verdict.best, "reason": verdict.remark});
    if !unscored.is_empty() {
        value["unscored"] = Value::Object(unscored);
    }
    value
}

fn unscored(entry: &AnswerScore) -> (String, Value) {
    (entry.approach.clone(), json!({"reason": entry.reason, "value": entry.value}))
}

/// Combines both directions: an answer's score is the mean of those it got, `best` is named only when both agree.
fn both(heard: &[&Verdict]) -> Value {
    let directions: Map<String, Value> =
        heard.iter().map(|verdict| (direction_word(verdict.direction).to_owned(), single(verdict))).collect();
    let usable: Vec<&&Verdict> = heard.iter().filter(|verdict| verdict.reason.is_none()).collect();
    let Some(first) = usable.first() else {
        let mut error = single(heard[0]);
        error["directions"] = Value::Object(directions);
        return error;
    };
    let scores: Map<String, Value> = first
        .scores
        .iter()
        .filter_map(|entry| {
            let scores: Vec<f64> = usable.iter().filter_map(|verdict| verdict.score_of(&entry.approach)).collect();
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            (!scores.is_empty()).then(|| (entry.approach.clone(), number(mean)))
        })
        .collect();
    let best = first.best.as_ref().filter(|_| usable.iter().all(|verdict| verdict.best == first.best));
    json!({"scores": scores, "best": best, "reason": first.remark, "directions": directions})
}

fn direction_word(direction: Direction) -> &'static str {
    match direction {
        Direction::Forward => "forward",
        Direction::Reverse => "reverse",
        Direction::Canary => "canary",
    }
}
