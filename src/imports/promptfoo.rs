//! The results file of promptfoo: one result for each test, prompt and provider.
//!
//! `score` becomes the metric `promptfoo`, each named score a metric of its name.

use super::record::{Record, untitled, usage};
use crate::json;
use serde_json::Value;
use std::collections::HashSet;

pub fn records(text: &str) -> Result<Vec<Record>, String> {
    let whole = json::parse_strict(text).map_err(|error| format!("it is not strict JSON: {error}"))?;
    let results = whole.pointer("/results/results").and_then(Value::as_array);
    let results = results.ok_or("it has no list `results.results`")?;
    let prompts: HashSet<u64> = results.iter().filter_map(|result| result.get("promptIdx")?.as_u64()).collect();
    results.iter().enumerate().map(|(index, result)| record(result, index, prompts.len() > 1)).collect()
}

fn record(result: &Value, index: usize, has_prompts: bool) -> Result<Record, String> {
    let text = |pointer: &str| {
        let text = result.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
        text.map(str::to_owned)
    };
    let provider = text("/provider/label").or_else(|| text("/provider/id")).or_else(|| text("/provider"));
    let provider = provider.ok_or_else(|| format!("result {} has no `provider`", index + 1))?;
    let prompt = result.get("promptIdx").and_then(Value::as_u64).unwrap_or(0);
    let test = result.get("testIdx").and_then(Value::as_u64);
    let test = test.ok_or_else(|| format!("result {} has no `testIdx`", index + 1))?;
    let output = match result.pointer("/response/output") {
        Some(Value::String(output)) => output.clone(),
        None | Some(Value::Null) => String::new(),
        Some(other) => json::compact(other).map_err(|error| error.to_string())?,
    };
    let contexts = match result.pointer("/vars/context") {
        Some(Value::String(context)) => vec![context.clone()],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let tells_contexts =
        result.pointer("/vars/context").is_some_and(|context| context.is_string() || context.is_array());
    let mut record = Record {
        dataset: text("/testCase/metadata/dataset"),
        question_id: text("/testCase/metadata/id").unwrap_or_else(|| test.to_string()),
        query: ["/vars/question", "/vars/query", "/vars/input", "/prompt/raw"]
            .iter()
            .find_map(|pointer| text(pointer))
            .unwrap_or_default(),
        ground_truth: ["/vars/reference", "/vars/expected", "/vars/ground_truth"].iter().find_map(|place| text(place)),
        approach: Some(if has_prompts { format!("{provider} (prompt {})", prompt + 1) } else { provider }),
        answer: output,
        sources: untitled(&contexts),
        contexts,
        tells_contexts,
        latency_ms: result.get("latencyMs").and_then(Value::as_f64).filter(|ms| *ms >= 0.0).map(|ms| ms.round() as u64),
        token_usage: usage(result.pointer("/response/tokenUsage"), "prompt", "completion", "total"),
        ..Record::default()
    };
    let failed_to_answer = result.pointer("/response/output").is_none_or(Value::is_null);
    if failed_to_answer {
        let message = text("/response/error").or_else(|| text("/error")).unwrap_or_default();
        record.error = Some(("PromptfooError".to_owned(), message));
        return Ok(record);
    }
    let own = result.get("score").map(|score| ("promptfoo".to_owned(), score));
    let named = result.get("namedScores").and_then(Value::as_object).into_iter().flatten();
    for (metric, score) in own.into_iter().chain(named.map(|(name, score)| (name.clone(), score))) {
        match score.as_f64().filter(|score| score.is_finite()) {
            Some(score) => record.scores.push((metric, score)),
            None => record.unscored.push((metric, "score_not_numeric".to_owned())),
        }
    }
    Ok(record)
}
