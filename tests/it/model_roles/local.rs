//! A static embedding model in-process: small hand-made models, damaged ones, and the real one when it has been fetched.

use ragsql::gateway::local::{LocalModelError, PINNED, StaticEmbedding};
use ragsql::gateway::roles::Embedder;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The bytes of a safetensors file, written by hand: length of the header, header, numbers.
fn tensors(parts: &[(&str, &str, &[usize], Vec<u8>)]) -> Vec<u8> {
    let mut header = serde_json::Map::new();
    let mut data = Vec::new();
    for (name, dtype, shape, bytes) in parts {
        let offsets = [data.len(), data.len() + bytes.len()];
        header.insert((*name).to_owned(), json!({"dtype": dtype, "shape": shape, "data_offsets": offsets}));
        data.extend_from_slice(bytes);
    }
    let header = Value::Object(header).to_string();
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &data].concat()
}

fn single(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn half(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| half::f16::from_f32(*value).to_le_bytes()).collect()
}

/// Splits at blanks, knows three words.
fn tokenizer() -> Value {
    json!({
        "version": "1.0", "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        "padding": null, "added_tokens": [], "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "red": 1, "blue": 2, "boat": 3}, "unk_token": "[UNK]"},
    })
}

/// Rows of `[UNK]`, `red`, `blue`, `boat`.
const ROWS: [f32; 8] = [9.0, 9.0, 3.0, 4.0, 0.0, 2.0, 1.0, 0.0];

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

fn model2vec(table: &[u8], tokenizer: &Value) -> TempDir {
    folder(&[("model.safetensors", table), ("tokenizer.json", tokenizer.to_string().as_bytes())])
}

fn open(folder: &Path) -> Result<StaticEmbedding, LocalModelError> {
    StaticEmbedding::open(folder, "tiny")
}

fn refusal(folder: &TempDir) -> String {
    let error = open(folder.path()).err().expect("refused").to_string();
    error
        .replace(&format!("{}/", folder.path().display()), "")
        .replace(&folder.path().display().to_string(), "<folder>")
}

#[track_caller]
fn near(vector: &[f32], expected: &[f32]) {
    assert_eq!(vector.len(), expected.len());
    for (found, wanted) in vector.iter().zip(expected) {
        assert!((found - wanted).abs() < 1e-6, "{vector:?} is not {expected:?}");
    }
}

#[tokio::test]
async fn a_text_is_the_normalised_mean_of_its_tokens_in_both_layouts_and_precisions() {
    let text = tokenizer().to_string();
    for (table, tokenizer_name, tensor, dtype, bytes) in [
        ("model.safetensors", "tokenizer.json", "embeddings", "F32", single(&ROWS)),
        ("a_256.safetensors", "a_tokenizer_config.json", "embedding.weight", "F16", half(&ROWS)),
        ("weights/a_256.safetensors", "tokenizers/a_tokenizer_config.json", "embedding.weight", "F16", half(&ROWS)),
    ] {
        let table_bytes = tensors(&[(tensor, dtype, &[4, 2], bytes)]);
        let folder = folder(&[(table, &table_bytes), (tokenizer_name, text.as_bytes())]);
        let model = open(folder.path()).unwrap();
        assert_eq!(model.dimension(), 2);
        assert!(model.name().starts_with("local/tiny@") && model.name().len() == "local/tiny@".len() + 8);
        let texts = ["Red", "red boat", "red blue boat boat"].map(str::to_owned);
        let vectors = model.embed(&texts).await.unwrap();
        near(&vectors[0], &[0.6, 0.8]);
        near(&vectors[1], &[0.5_f32.sqrt(), 0.5_f32.sqrt()]);
        // The tokenizer's own limit of two tokens does not cut.
        let length = (25.0_f32 + 36.0).sqrt();
        near(&vectors[2], &[5.0 / length, 6.0 / length]);
    }
}

#[tokio::test]
async fn unknown_words_do_not_count_and_a_text_without_a_known_word_still_has_a_vector() {
    let folder = model2vec(&tensors(&[("embeddings", "F32", &[4, 2], single(&ROWS))]), &tokenizer());
    let model = open(folder.path()).unwrap();
    near(&model.vector("green red").unwrap(), &[0.6, 0.8]);
    for text in ["", "green", " \n"] {
        near(&model.vector(text).unwrap(), &[0.5_f32.sqrt(), 0.5_f32.sqrt()]);
    }
}

#[tokio::test]
async fn weights_and_shared_rows_of_newer_model2vec_files_are_honoured() {
    let table = tensors(&[
        ("embeddings", "F32", &[2, 2], single(&[1.0, 0.0, 0.0, 1.0])),
        ("mapping", "I64", &[4], [0_i64, 0, 1, 1].iter().flat_map(|row| row.to_le_bytes()).collect()),
        ("weights", "F32", &[4], single(&[1.0, 3.0, 1.0, 4.0])),
    ]);
    let folder = model2vec(&table, &tokenizer());
    near(&open(folder.path()).unwrap().vector("red boat").unwrap(), &[0.6, 0.8]);
}

#[tokio::test]
async fn fractions_in_a_tokenizer_may_be_spelled_any_way() {
    let mut tokenizer = tokenizer();
    let spelled: Value = serde_json::from_str(
        r#"{"type": "Unigram", "unk_id": 0, "byte_fallback": false,
            "vocab": [["[UNK]", 0.0], ["red", -1.10], ["blue", -1.5e0], ["boat", -2.30000000000000000001]]}"#,
    )
    .unwrap();
    tokenizer["model"] = spelled;
    let folder = model2vec(&tensors(&[("embeddings", "F32", &[4, 2], single(&ROWS))]), &tokenizer);
    near(&open(folder.path()).unwrap().vector("red").unwrap(), &[0.6, 0.8]);
}

#[test]
fn whatever_is_wrong_with_a_file_is_told_by_its_name() {
    let good = tensors(&[("embeddings", "F32", &[4, 2], single(&ROWS))]);
    let tokens = tokenizer();
    let cases: [(TempDir, &str); 11] = [
        (folder(&[]), "the model folder `<folder>` has no single `*.safetensors`"),
        (folder(&[("a.safetensors", &good)]), "the model folder `<folder>` has no single `*tokenizer*.json`"),
        (
            folder(&[("a.safetensors", &good), ("b.safetensors", &good), ("tokenizer.json", b"{}")]),
            "the model folder `<folder>` has no single `*.safetensors`",
        ),
        (
            model2vec(&good[..good.len() - 3], &tokens),
            "`model.safetensors` is no usable embedding table: it is damaged or cut: ",
        ),
        (model2vec(b"PK\x03\x04", &tokens), "`model.safetensors` is no usable embedding table: it is damaged or cut: "),
        (
            model2vec(&tensors(&[("bert.weight", "F32", &[4, 2], single(&ROWS))]), &tokens),
            "`model.safetensors` is no usable embedding table: it has no tensor `embedding.weight` or `embeddings`, it has `bert.weight`",
        ),
        (
            model2vec(&tensors(&[("embeddings", "I32", &[4, 2], single(&ROWS))]), &tokens),
            "`model.safetensors` is no usable embedding table: its numbers are I32, not F16, F32 or F64",
        ),
        (
            model2vec(&tensors(&[("embeddings", "F32", &[8], single(&ROWS))]), &tokens),
            "`model.safetensors` is no usable embedding table: its table has 1 axes, not 2",
        ),
        (
            model2vec(&tensors(&[("embeddings", "F32", &[1, 2], single(&[1.0, f32::NAN]))]), &tokens),
            "`model.safetensors` is no usable embedding table: its number 1 is not finite",
        ),
        (
            model2vec(&tensors(&[("embeddings", "F32", &[3, 2], single(&ROWS[..6]))]), &tokens),
            "`tokenizer.json` and `model.safetensors` do not belong together: token 3 has no row, there are 3",
        ),
        (model2vec(&good, &json!({"model": {"type": "WordLevel"}})), "`tokenizer.json` is no usable tokenizer: "),
    ];
    for (folder, message) in cases {
        let refused = refusal(&folder);
        assert!(refused.starts_with(message), "{refused:?} does not begin with {message:?}");
    }
    let missing = StaticEmbedding::open(&PathBuf::from("nowhere/at-all"), "tiny").err().unwrap();
    assert_eq!(missing.to_string(), "the model folder `nowhere/at-all` does not exist");
}

#[test]
fn a_pinned_model_has_exactly_its_files() {
    let pinned = &PINNED[0];
    let good = tensors(&[("embedding.weight", "F32", &[4, 2], single(&ROWS))]);
    let tokens = tokenizer().to_string();
    let folder = folder(&[(pinned.table.file, &good), (pinned.tokenizer.file, tokens.as_bytes())]);
    let error = StaticEmbedding::open(folder.path(), pinned.name).err().unwrap().to_string();
    assert!(error.contains(pinned.table.file) && error.contains(&format!("{} bytes", good.len())), "{error}");
    assert!(error.ends_with(&format!("expected {}", pinned.table.sha256)), "{error}");
}

/// Where `make models` puts the model.
fn fetched() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = variable("RAGSQL_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|folder| folder.join("ragsql")))
        .or_else(|| variable("HOME").map(|folder| folder.join(".cache/ragsql")));
    let models = variable("RAGSQL_MODELS").or_else(|| cache.map(|cache| cache.join("models")))?;
    Some(models.join(PINNED[0].name)).filter(|folder| folder.is_dir())
}

#[tokio::test]
async fn the_real_model_puts_like_things_together() {
    let Some(folder) = fetched() else {
        println!("wordllama-256 has not been fetched (`make models`): only the hand-made models were tested");
        return;
    };
    println!("tested with the real wordllama-256");
    let model = StaticEmbedding::open(&folder, PINNED[0].name).unwrap();
    assert_eq!(model.dimension(), 256);
    let texts = ["The ship sank in a storm.", "A boat went down in bad weather.", "Shares of the bank rose."];
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let vectors = model.embed(&texts).await.unwrap();
    let cosine = |left: usize, right: usize| -> f32 {
        vectors[left].iter().zip(&vectors[right]).map(|(left, right)| left * right).sum()
    };
    assert!(cosine(0, 1) > cosine(0, 2) + 0.2, "{} {}", cosine(0, 1), cosine(0, 2));
    assert!((cosine(0, 0) - 1.0).abs() < 1e-5);
}
