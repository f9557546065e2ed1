//! Completions that nobody would send on purpose: the normaliser neither panics nor hangs, and what it accepts can be stored.
//!
//! The seeds are the files of `tests/fixtures/fuzz/completions`; a body that ever breaks the normaliser is added there.

use crate::noise::{Noise, Rounds, mutate, seeds};
use ragsql::experiment::connection::DEFAULT_CONTEXTS;
use ragsql::json;
use ragsql::runner::completion::{normalise, parse_body};
use serde_json::Value;
use std::sync::mpsc;
use std::time::Duration;

#[test]
fn kept_completions_and_their_mutations_are_normalised_without_a_panic_or_a_row_that_cannot_be_stored() {
    let seeds = seeds("completions");
    let mut noise = Noise(0x51ed_270b_7a1f_93c5);
    let mut rounds = Rounds::new(30_000);
    let (mut parsed_n, mut normalised_n) = (0_u64, 0_u64);
    let answers: Vec<Vec<u8>> = seeds.iter().filter_map(|seed| answer(seed)).map(String::into_bytes).collect();
    while rounds.another() {
        // Changed bytes seldom leave JSON intact; a changed answer inside sound JSON gets to the source block and footer.
        let bytes = match rounds.done_n % 2 {
            0 => mutate(&mut noise, &seeds),
            _ => with_answer(&seeds[noise.below(seeds.len())], &mutate(&mut noise, &answers)),
        };
        let Ok(payload) = parse_body(&bytes, None) else { continue };
        parsed_n += 1;
        let Ok((evidence, _)) = normalise(&payload, &DEFAULT_CONTEXTS) else { continue };
        normalised_n += 1;
        let stored = serde_json::to_value(&evidence).unwrap();
        let line = json::canonical(&stored).unwrap_or_else(|error| panic!("{error}: {payload}"));
        json::parse_strict(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
    }
    println!(
        "{} mutations of {} completions, {parsed_n} parsed, {normalised_n} normalised",
        rounds.done_n,
        seeds.len()
    );
    assert!(normalised_n > 1000, "most mutations should leave some completions intact: {normalised_n}");
}

/// The text of a kept completion; null when it has none.
fn answer(body: &[u8]) -> Option<String> {
    let payload: Value = serde_json::from_slice(body).ok()?;
    Some(payload.pointer("/choices/0/message/content")?.as_str()?.to_owned())
}

/// A kept completion with another text, unless it has no place for one.
fn with_answer(body: &[u8], text: &[u8]) -> Vec<u8> {
    let Ok(mut payload) = serde_json::from_slice::<Value>(body) else { return body.to_vec() };
    if let Some(content) = payload.pointer_mut("/choices/0/message/content") {
        *content = String::from_utf8_lossy(text).into();
    }
    payload.to_string().into_bytes()
}

/// A quadratic reader would need hours for a megabyte, a linear one needs far less than a second.
const HOURS: Duration = Duration::from_secs(300);

#[test]
fn long_hostile_answers_take_time_in_proportion_to_their_length() {
    // Whether a piece is a whole source, which ends where the next one begins.
    for (piece, is_source) in [
        ("<details><summary>🔎", false),
        ("**1. a** · score 0.5\n\n> x\n\n", true),
        ("**1. a** (score 0.5)\n\n> x\n\n", false),
        ("> ", false),
        ("---\n📊 ", false),
        ("</details>\n\n", false),
        ("\n\n**", false),
        ("📊 1.2s · ", false),
    ] {
        let repeats_n = 1_000_000 / piece.len();
        let content = piece.repeat(repeats_n);
        let expected = (content.trim().len(), if is_source { repeats_n - 1 } else { 0 });
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let payload = serde_json::json!({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]});
            let read = normalise(&payload, &DEFAULT_CONTEXTS).map(|(evidence, _)| evidence);
            let _ = sender.send(read.map(|evidence| (evidence.answer.len(), evidence.sources.len())).ok());
        });
        let found = receiver.recv_timeout(HOURS).unwrap_or_else(|_| panic!("{piece:?} was not read to its end"));
        assert_eq!(found, Some(expected), "{piece:?}");
    }
}
