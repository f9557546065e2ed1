//! Means, votes and the winner of one question, from its `per_judge` object.
//!
//! Reads verdict objects as the artifact holds them, writes the three derived fields. Key order is insertion order: the
//! order of the first judge's reply, then whatever later judges add. Source: `contract/evaluation.md` section 5.5.

use crate::json::round_to;
use serde_json::{Map, Number, Value};

/// What decides between approaches with equal mean and equal votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastTieBreak {
    /// The smallest name by code point: the rule for new artifacts.
    Name,
    /// The first in insertion order: the rule that artifacts of the earlier system were written with.
    FirstInserted,
}

/// The derived fields of a question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Aggregate {
    /// Mean score by approach over the judges that scored it, rounded to 2 decimals half-even.
    pub means: Map<String, Value>,
    /// How many judges named the approach best; approaches without votes are absent.
    pub votes: Map<String, Value>,
    /// The highest by (rounded mean, votes, last tie-break); null without means.
    pub winner: Option<String>,
    /// Every approach that shares the winner's mean and votes, sorted; one name when the win is clear.
    pub leaders: Vec<String>,
}

/// Aggregates the verdicts of one question.
///
/// Entries with an `error`, and scores that are no JSON numbers, do not count. The sum is exact enough not to depend on
/// the order of judges.
pub fn aggregate(per_judge: &Map<String, Value>, last: LastTieBreak) -> Aggregate {
    let mut names: Vec<&String> = Vec::new();
    let mut scores: std::collections::HashMap<&String, Vec<f64>> = std::collections::HashMap::new();
    let mut votes: Map<String, Value> = Map::new();
    for verdict in per_judge.values() {
        for (name, score) in verdict.get("scores").and_then(Value::as_object).into_iter().flatten() {
            let Some(score) = score.as_f64().filter(|score| score.is_finite()) else { continue };
            let entry = scores.entry(name).or_default();
            if entry.is_empty() {
                names.push(name);
            }
            entry.push(score);
        }
        if let Some(best) = verdict.get("best").and_then(Value::as_str) {
            let count = votes.get(best).and_then(Value::as_u64).unwrap_or(0) + 1;
            votes.insert(best.to_owned(), count.into());
        }
    }
    let means: Vec<(&String, f64)> = names.into_iter().map(|name| (name, mean(&scores[name]))).collect();
    let strength = |name: &str, mean: f64| (mean, votes.get(name).and_then(Value::as_u64).unwrap_or(0));
    let top =
        means.iter().map(|(name, mean)| strength(name, *mean)).max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut leaders: Vec<String> = means
        .iter()
        .filter(|(name, mean)| Some(strength(name, *mean)) == top)
        .map(|(name, _)| (*name).clone())
        .collect();
    let first = leaders.first().cloned();
    leaders.sort_unstable();
    let winner = match last {
        LastTieBreak::Name => leaders.first().cloned(),
        LastTieBreak::FirstInserted => first,
    };
    let means = means.into_iter().map(|(name, mean)| (name.clone(), number(mean))).collect();
    Aggregate { means, votes, winner, leaders }
}

/// A finite double as JSON; null when it is not finite.
pub fn number(value: f64) -> Value {
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// The mean of at least one score, rounded to 2 decimals. The compensated sum over sorted values is free of order.
fn mean(scores: &[f64]) -> f64 {
    let mut sorted = scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for score in sorted {
        let next = sum + score;
        lost += if sum.abs() >= score.abs() { (sum - next) + score } else { (score - next) + sum };
        sum = next;
    }
    round_to((sum + lost) / scores.len() as f64, 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn per_judge(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn means_round_half_even_on_the_binary_value() {
        let judged = per_judge(json!({"x": {"scores": {"a": 4, "b": 4.25}}, "y": {"scores": {"a": 4.25, "b": 4.5}}}));
        assert_eq!(Value::Object(aggregate(&judged, LastTieBreak::Name).means).to_string(), r#"{"a":4.12,"b":4.38}"#);
    }

    #[test]
    fn remaining_ties_go_to_the_name_or_in_old_artifacts_to_the_first_inserted() {
        let judged = per_judge(json!({"x": {"scores": {"c": 4, "a": 4, "b": 4}, "best": null}}));
        assert_eq!(aggregate(&judged, LastTieBreak::FirstInserted).winner.as_deref(), Some("c"));
        let new = aggregate(&judged, LastTieBreak::Name);
        assert_eq!(new.winner.as_deref(), Some("a"));
        assert_eq!(new.leaders, ["a", "b", "c"]);
    }

    #[test]
    fn votes_come_before_the_name_and_errors_count_for_nobody() {
        let judged = per_judge(json!({
            "x": {"scores": {"a": 4, "b": 4}, "best": "b"},
            "y": {"error": "no valid verdict"},
            "z": {"scores": {"a": true, "b": null}, "best": null},
        }));
        let found = aggregate(&judged, LastTieBreak::Name);
        assert_eq!((found.winner.as_deref(), found.leaders.len()), (Some("b"), 1));
        assert_eq!(aggregate(&Map::new(), LastTieBreak::Name), Aggregate::default());
    }
}
