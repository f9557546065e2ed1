//! Replies that nobody would write on purpose: the parser neither panics nor hangs, and never invents a score.
//!
//! The seeds of the fuzz case are the files of `tests/fixtures/fuzz/replies`; a reply that ever breaks the parser is
//! added there. `RAGSQL_FUZZ_S` lets it run for that many seconds instead of a fixed number of rounds.

use crate::noise::{Noise, Rounds, mutate, seeds};
use ragsql::panel::reply::{Score, open, read_verdict};
use std::time::Instant;

fn labels() -> Vec<String> {
    ["A", "B", "C"].map(str::to_owned).to_vec()
}

#[test]
fn mixtures_of_json_and_tags_are_read_without_a_panic() {
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        ":",
        ",",
        "scores",
        "\"scores\":{",
        "\"A\":4",
        "\"a\":2",
        "\"B\":NaN",
        "null",
        "<think>",
        "</think>",
        "```",
        "```json\n",
        "1e999",
        "-",
        "\\ud83d",
        "\u{0}",
        "é",
        "🔎",
        " ",
        "\n",
        "\"best\":",
        "{\"scores\":{\"A\":4,\"B\":5,\"C\":1}}",
        "Infinity",
        "4/5",
    ];
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    let mut scored = 0;
    for _ in 0..200_000 {
        let text: String = (0..noise.below(14)).map(|_| pieces[noise.below(pieces.len())]).collect();
        let finish = [None, Some("stop"), Some("length")][noise.below(3)];
        let reading = read_verdict(&text, finish, &labels());
        for entry in &reading.scores {
            if let Score::Scored(score) = entry.score {
                assert!((1.0..=5.0).contains(&score), "{text}");
            }
        }
        assert_eq!(reading.failure.is_none(), reading.scores.iter().any(|entry| entry.score.number().is_some()));
        scored += usize::from(reading.failure.is_none());
    }
    assert!(scored > 100, "the noise never held a verdict, so it proves little: {scored}");
}

#[test]
fn kept_replies_and_their_mutations_are_read_without_a_panic_or_an_invented_score() {
    let seeds = seeds("replies");
    let mut noise = Noise(0x2545_f491_4f6c_dd1d);
    let mut rounds = Rounds::new(100_000);
    let mut scored = 0_u64;
    while rounds.another() {
        let bytes = mutate(&mut noise, &seeds);
        let text = String::from_utf8_lossy(&bytes);
        let reading = read_verdict(&text, [None, Some("stop"), Some("length")][noise.below(3)], &labels());
        for score in reading.scores.iter().filter_map(|entry| entry.score.number()) {
            assert!((1.0..=5.0).contains(&score), "{text}");
            assert!(text.contains('"') && text.contains("scores"), "a score without a verdict: {text}");
        }
        // A stored value must survive the writer whatever the judge wrote.
        ragsql::json::compact(&reading.remark).unwrap();
        scored += u64::from(reading.failure.is_none());
    }
    println!("{} mutations of {} replies, {scored} of them scored", rounds.done_n, seeds.len());
    assert!(scored > 1000, "most mutations should leave some verdicts intact: {scored}");
}

#[test]
fn damaged_completions_are_opened_without_a_panic() {
    let body = r#"{"model":"m","choices":[{"finish_reason":"stop","message":{"content":"{\"scores\":{\"A\":4}}"}}]}"#;
    let mut noise = Noise(88_172_645_463_325_252);
    for _ in 0..50_000 {
        let mut bytes = body.as_bytes().to_vec();
        for _ in 0..=noise.below(4) {
            let at = noise.below(bytes.len());
            bytes[at] = noise.below(256) as u8;
        }
        bytes.truncate(noise.below(bytes.len()) + 1);
        if let Ok(envelope) = open(&bytes) {
            read_verdict(&envelope.content, envelope.finish_reason.as_deref(), &labels());
        }
    }
}

#[test]
fn long_hostile_replies_take_time_in_proportion_to_their_length() {
    let million = 1_000_000;
    let shapes = [
        "{".repeat(million),
        "[".repeat(million),
        "<think>".repeat(million / 7),
        "</think>".repeat(million / 8),
        "{\"a\":".repeat(million / 5),
        "{\"{\":".repeat(million / 5),
        "{\":{\":".repeat(million / 6),
        format!("{}{}", "{\"a\":[".repeat(60), "\"{\",".repeat(million / 4)),
        format!("{{\"{}", "{\"".repeat(million / 2)),
        "{\"a\":{}},".repeat(million / 9),
        format!("[{}", "{\"scores\":{\"A\":4}},".repeat(million / 19)),
        "\\\"{".repeat(million / 3),
    ];
    for shape in shapes {
        let start = Instant::now();
        let reading = read_verdict(&shape, Some("stop"), &labels());
        println!("{:?} for {} bytes of `{}...`: {:?}", start.elapsed(), shape.len(), &shape[..12], reading.failure);
        // The one shape with verdicts repeats the same one, inside a list that never closes.
        assert_eq!(reading.failure.is_none(), shape.contains("\"scores\""));
    }
}
