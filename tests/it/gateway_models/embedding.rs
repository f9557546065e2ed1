//! `builtin/hashed-subword-256`.

use ragsql::gateway::builtin::{DIMENSION, EMBEDDING, HashedSubword, cosine, embed};
use ragsql::gateway::roles::Embedder;

fn length(vector: &[f32]) -> f64 {
    vector.iter().map(|component| f64::from(*component).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn every_vector_has_length_one() {
    for text in
        ["a", "The ferry leaves at noon.", "E-4417", "\u{4f60}\u{597d}", "\u{e9}\u{301} -- 12", &"long ".repeat(9_000)]
    {
        let vector = embed(text);
        assert_eq!(vector.len(), DIMENSION);
        assert!((length(&vector) - 1.0).abs() < 1e-6, "{text}");
    }
}

#[test]
fn a_text_without_words_gives_the_first_unit_vector() {
    for text in ["", " \n", "--- !?", "\u{0}"] {
        let vector = embed(text);
        assert_eq!(vector[0], 1.0, "{text:?}");
        assert!(vector[1..].iter().all(|component| *component == 0.0));
    }
}

#[test]
fn equal_texts_give_equal_bits_in_every_thread() {
    let text = "The harbour master closed both locks because the storm had damaged the lower gate.";
    let bits = |vector: Vec<f32>| vector.into_iter().map(f32::to_bits).collect::<Vec<_>>();
    let here = bits(embed(text));
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(|| embed(text))).collect();
    for thread in threads {
        assert_eq!(bits(thread.join().unwrap()), here);
    }
}

#[test]
fn a_word_keeps_its_place_across_releases() {
    // Stored corpora hold these vectors: another hash or weight needs another model name.
    let vector = embed("lock");
    let mut heaviest: Vec<usize> = (0..DIMENSION).filter(|place| vector[*place] != 0.0).collect();
    heaviest.sort_by(|left, right| vector[*right].abs().total_cmp(&vector[*left].abs()));
    assert_eq!(heaviest.len(), 10, "the word and its nine pieces");
    assert_eq!(heaviest[0], 15);
    assert!((vector[15] - 0.957_826_26).abs() < 1e-6, "{}", vector[15]);
}

#[test]
fn shared_words_and_shared_stems_bring_texts_together() {
    let question = embed("When did the harbour close its locks?");
    let near = embed("The harbour closed the lower lock on Monday.");
    let far = embed("Bread needs flour, salt and time.");
    assert!(cosine(&question, &near) > 0.4, "{}", cosine(&question, &near));
    assert!(cosine(&question, &far) < 0.2, "{}", cosine(&question, &far));
    let misspelt = embed("The harbor closes the lower lock on Monday.");
    assert!(cosine(&near, &misspelt) > cosine(&near, &far) + 0.3);
}

#[test]
fn cosine_of_a_vector_without_length_is_zero() {
    assert_eq!(cosine(&[0.0, 0.0], &[1.0, 0.0]), 0.0);
    assert_eq!(cosine(&[], &[]), 0.0);
    assert_eq!(cosine(&[1.0, 0.0], &[-2.0, 0.0]), -1.0);
}

#[tokio::test]
async fn the_role_gives_one_vector_per_text_in_order() {
    let texts = ["one".to_owned(), String::new(), "two words".to_owned()];
    let vectors = HashedSubword.embed(&texts).await.unwrap();
    assert_eq!(vectors, texts.iter().map(|text| embed(text)).collect::<Vec<_>>());
    assert_eq!((HashedSubword.name(), HashedSubword.dimension()), (EMBEDDING, 256));
    assert!(HashedSubword.embed(&[]).await.unwrap().is_empty());
}
