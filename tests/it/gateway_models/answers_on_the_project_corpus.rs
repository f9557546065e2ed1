//! The built-in models together, on documents of the project: embed, rank, rerank, answer.

use ragsql::gateway::builtin::{NO_ANSWER, answer, cosine, embed, score};
use ragsql::gateway::roles::Context;
use std::path::Path;

/// The documents of one dataset.
fn corpus(folder: &str) -> Vec<Context> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(folder);
    let mut files: Vec<Context> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "md"))
        .map(|entry| Context {
            title: entry.file_name().into_string().unwrap(),
            text: std::fs::read_to_string(entry.path()).unwrap(),
        })
        .collect();
    files.sort_by(|left, right| left.title.cmp(&right.title));
    files
}

/// The four documents that embedding and reranker together like best.
fn best(question: &str, files: &[Context]) -> Vec<Context> {
    let vector = embed(question);
    let mut ranked: Vec<(f64, &Context)> =
        files.iter().map(|file| (cosine(&vector, &embed(&file.text)) + score(question, &file.text), file)).collect();
    ranked.sort_by(|left, right| right.0.total_cmp(&left.0));
    ranked.into_iter().take(4).map(|(_, file)| file.clone()).collect()
}

#[test]
fn plain_questions_get_the_sentence_with_the_fact() {
    let files = corpus("graph_native");
    for (question, expected) in [
        ("When did the board of OpenAI remove Sam Altman as chief executive?", "17 November 2023"),
        ("Who was chief technology officer of OpenAI in November 2023?", "Mira Murati"),
        ("How much did Google pay Apple in 2022 for default placements?", "20 billion dollars"),
        ("When did Microsoft first invest in OpenAI?", "22 July 2019"),
        ("What did Eric Muhlheim warn about at the remedies hearing?", "Muhlheim warned"),
    ] {
        let found = answer(question, &best(question, &files));
        assert!(found.contains(expected), "{question}\n{found}");
    }
}

#[test]
fn facts_that_are_not_in_the_corpus_are_not_invented() {
    let files = corpus("graph_native");
    for question in [
        "How many seats does the canteen of Mozilla in Berlin have?",
        "What does fault code X-9901 mean?",
        "How much did Helen Toner earn at Georgetown University?",
        "When was the Brunsey lighthouse built?",
    ] {
        assert_eq!(answer(question, &best(question, &files)), NO_ANSWER, "{question}");
    }
}
