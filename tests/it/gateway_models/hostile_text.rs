//! Text of every kind goes through every built-in model without a panic, and the same way twice.

use ragsql::gateway::builtin::{LexicalEvaluator, answer, embed, score};
use ragsql::gateway::evaluate::evaluate;
use ragsql::gateway::lazy_graph::extract_concepts;
use ragsql::gateway::roles::Context;
use ragsql::wire::evaluate::EvaluateRequest;
use serde_json::json;

/// Pieces that have broken text code before: marks, joiners, wide letters, blanks of all kinds, half-open Markdown.
const PIECES: [&str; 44] = [
    "a",
    "The",
    "Foo",
    "E-4417",
    "1:20-cv-03010",
    "4.3",
    "1,250",
    "U.S.",
    "Inc.",
    "v.",
    "don't",
    "\u{2019}s",
    "-",
    "--",
    ".",
    "...",
    "!",
    "?",
    ":",
    "/",
    "_",
    "#",
    "## ",
    "- ",
    "> ",
    "|",
    "1. ",
    "```",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "\u{0}",
    "\u{1c}",
    "\u{a0}",
    "\u{200b}",
    "\u{301}",
    "\u{e9}",
    "\u{df}",
    "\u{130}",
    "\u{1f6a2}",
    "\u{4f60}\u{3002}",
    "\u{feff}",
    "not",
];

/// A text of up to `length` pieces from a fixed sequence (linear congruential generator of Knuth's MMIX).
fn text(state: &mut u64, length: u64) -> String {
    let mut next = |limit: u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % limit
    };
    (0..next(length))
        .map(|_| [PIECES[next(PIECES.len() as u64) as usize], [" ", ""][next(2) as usize]].concat())
        .collect()
}

#[test]
fn three_thousand_odd_texts_do_no_harm() {
    let mut state = 17;
    for _ in 0..3_000 {
        let question = text(&mut state, 12);
        let contexts = [text(&mut state, 60), text(&mut state, 60)];
        let files: Vec<Context> =
            contexts.iter().map(|text| Context { title: question.clone(), text: text.clone() }).collect();
        let found = answer(&question, &files);
        assert_eq!(found, answer(&question, &files));
        assert_eq!(embed(&contexts[0]), embed(&contexts[0]));
        assert!((0.0..=1.0).contains(&score(&question, &contexts[0])));
        assert!(extract_concepts(&contexts[1], 24).len() <= 24);
        let request: EvaluateRequest = serde_json::from_value(json!({
            "records": [{"question": question, "answer": found, "contexts": contexts, "ground_truth": contexts[0]}],
            "metrics": ["faithfulness", "answer_relevancy", "context_precision", "context_recall"],
        }))
        .unwrap();
        let result = super::shared::block_on(evaluate(request, &LexicalEvaluator)).unwrap().results.remove(0);
        for (metric, score) in &result.scores {
            let reason = result.metadata["reasons"].get(metric);
            assert_eq!(score.is_null(), reason.is_some(), "{metric} {question:?} {contexts:?}");
        }
    }
}
