//! `builtin/lexical-cross-scorer`.

use ragsql::gateway::builtin::{LexicalCross, RERANKER, score};
use ragsql::gateway::roles::Reranker;

#[test]
fn scores_stay_between_nothing_and_everything() {
    assert_eq!(score("", "any text"), 0.0);
    assert_eq!(score("what is it", "any text"), 0.0, "only function words");
    assert_eq!(score("lower gate", ""), 0.0);
    assert_eq!(score("lower gate", "Bread needs salt."), 0.0);
    let whole = score("lower gate", "The lower gate broke.");
    assert!((whole - 1.0).abs() < 1e-12, "{whole}");
}

#[test]
fn one_sentence_beats_scattered_words_and_a_code_beats_ordinary_words() {
    let query = "repair of the lower gate";
    let together = score(query, "Bread needs salt. The lower gate needs repair.");
    let scattered = score(query, "Repair it. He sat lower. A gate.");
    assert!(together > scattered, "{together} {scattered}");
    let query = "remedy for fault K-118 on the crane";
    let code = score(query, "K-118: the brake is worn.");
    let neighbour = score(query, "K-181: a fault on the crane; remedy: oil it.");
    assert!(code > 0.0 && score(query, "K-118: a fault on the crane; remedy: oil it.") > neighbour);
}

#[tokio::test]
async fn the_role_scores_every_text_with_its_place() {
    let texts = ["The lower gate broke.".to_owned(), String::new()];
    let rows = LexicalCross.rerank("lower gate", &texts).await.unwrap();
    let rows: Vec<(usize, Option<f64>)> = rows.iter().map(|row| (row.index, row.score)).collect();
    assert_eq!(rows, [(0, Some(score("lower gate", &texts[0]))), (1, Some(0.0))]);
    assert_eq!(LexicalCross.name(), RERANKER);
}
