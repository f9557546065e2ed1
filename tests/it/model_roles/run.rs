//! The binary with models behind endpoints: a whole run, what its rows say of the models, and that no key stays behind.

use super::KEY;
use crate::stub::{Reply, Stub};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn project(url: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "compare/evaluation.yaml",
        "version: 1\nroot: ..\ndatasets_file: datasets.yaml\n\
         approaches:\n  - {model: vanilla-rag, evidence: answer_with_contexts}\n\
         metrics: {ragas: [faithfulness], judge_panel: {enabled: false}}\nrun: {retries: 0}\n",
    );
    write(
        "compare/datasets.yaml",
        "datasets:\n  - id: harbor\n    label: Harbor\n    complexity_level: 1\n    status: measured\n    \
         corpus_path: corpus/harbor\n    questions_file: demo/queries.yaml\n    graph_nature: One page.\n    \
         ingestion_profile: harbor\n",
    );
    write("demo/queries.yaml", "- {id: power, query: What powers Pump Alpha?}\n");
    write("corpus/harbor/grid.md", "# Grid Nine\n\nGrid Nine powers Pump Alpha since March 2021.\n");
    let others =
        ["contextual_blurb", "agentic", "extract", "keyword", "query", "classifier", "ragas_evaluator", "rerank"];
    let others: String = others.iter().map(|role| format!("    {role}: builtin\n")).collect();
    let builtin = format!("    embed: builtin\n    light_gen: builtin\n{others}");
    let mine = format!(
        "    embed: {{endpoint: \"{url}/v1\", model: stork, max_batch: 8}}\n    \
         light_gen: {{endpoint: \"{url}/v1?plan=b\", model: heron, api_key_env: HERON_KEY, \
         request_defaults: {{think: false}}}}\n{others}"
    );
    let roles = format!("version: 1\ndefault_preset: builtin\npresets:\n  builtin:\n{builtin}  mine:\n{mine}");
    write("compare/roles.yaml", &roles);
    folder
}

async fn run(project: &Path, arguments: &[&str], key: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragsql"));
    command.arg("run").arg("--project").arg(project).args(arguments).env_clear().env("HERON_KEY", key);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn provider(seen: &crate::stub::Seen) -> Reply {
    match seen.path.as_str() {
        "/v1/embeddings" => {
            let texts = seen.body["input"].as_array().unwrap().len();
            let rows: Vec<Value> =
                (0..texts).map(|index| json!({"index": index, "embedding": [1, index, 2]})).collect();
            Reply::json(json!({"data": rows}))
        }
        _ => Reply::json(json!({
            "model": "heron-2024",
            "choices": [{"message": {"content": "Grid Nine powers Pump Alpha."}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 50, "completion_tokens": 6, "total_tokens": 56},
        })),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preset_with_endpoints_answers_and_its_rows_name_the_models_but_no_key() {
    let stub = Stub::start(provider).await;
    let folder = project(&stub.url);
    let output = run(folder.path(), &["--roles", "mine"], KEY).await;
    let text = told(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("embed stork, answers heron"), "{text}");
    let results = folder.path().join("compare/results");
    let evidence = std::fs::read_to_string(results.join("harbor-mine.jsonl")).unwrap();
    let row: Value = serde_json::from_str(evidence.trim()).unwrap();
    let roles = &row["reproducibility"]["runtime"]["gateway"]["roles"];
    assert_eq!(
        roles["embed"],
        json!({
            "model": "stork", "provider": "openai-compatible", "endpoint": format!("{}/v1", stub.url), "timeout_s": 120.0,
            "max_concurrency": 4, "max_batch": 8, "retries": 2, "request_defaults": {},
        })
    );
    assert_eq!(roles["light_gen"]["endpoint"], format!("{}/v1", stub.url), "without its query");
    assert_eq!(roles["light_gen"]["request_defaults"], json!({"think": false}));
    assert_eq!(roles["light_gen"]["prompt_sha256"].as_str().unwrap().len(), 64);
    assert_eq!(roles["rerank"], json!({"model": "builtin/lexical-cross-scorer", "provider": "builtin"}));
    let evidence_text = row.to_string();
    assert!(evidence_text.contains("heron-2024"), "the model that answered is kept: {evidence_text}");
    assert!(results.join("corpus-stork.duckdb").is_file());
    let asked = stub.seen().into_iter().find(|seen| seen.path.ends_with("completions")).unwrap();
    assert_eq!(asked.header("authorization"), format!("Bearer {KEY}"));

    let calls = stub.count();
    let output = run(folder.path(), &["--roles", "mine"], KEY).await;
    assert_eq!((output.status.code(), stub.count()), (Some(0), calls), "{}", told(&output));
    // Another preset is another run over another index.
    let output = run(folder.path(), &[], "").await;
    assert_eq!((output.status.code(), stub.count()), (Some(0), calls), "{}", told(&output));
    assert!(results.join("harbor.jsonl").is_file());

    for entry in std::fs::read_dir(&results).unwrap() {
        let path = entry.unwrap().path();
        let holds = path.is_file() && String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains(KEY);
        assert!(!holds, "{} holds the key", path.display());
    }
    assert!(!text.contains(KEY));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_not_there_is_missed_before_the_first_call() {
    let stub = Stub::start(provider).await;
    let folder = project(&stub.url);
    let output = run(folder.path(), &["--roles", "mine"], "").await;
    let text = told(&output);
    assert_eq!((output.status.code(), stub.count()), (Some(2), 0), "{text}");
    assert!(text.contains("the environment variable `HERON_KEY` is not set or empty"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_local_model_that_was_not_fetched_is_named() {
    let folder = project("http://127.0.0.1:9");
    let file = folder.path().join("compare/roles.yaml");
    let text = std::fs::read_to_string(&file).unwrap().replacen("embed: builtin", "embed: local", 1);
    std::fs::write(&file, text).unwrap();
    let models = folder.path().join("models");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragsql"));
    command.arg("run").arg("--project").arg(folder.path()).env_clear().env("RAGSQL_MODELS", &models);
    let output = command.output().unwrap();
    let text = told(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("wordllama-256` does not exist") && text.contains("`make models`"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_scores_is_named_in_the_rows_and_what_it_said_can_be_asked_in_sql() {
    let stub = Stub::start(|seen| {
        let prompt = seen.body["messages"][0]["content"].as_str().unwrap_or_default();
        if prompt.contains("{\"verdicts\": [") {
            Reply::answer(r#"{"verdicts": [{"statement": 1, "reason": "said so", "verdict": 1}]}"#)
        } else if prompt.contains("{\"statements\": [\"") {
            Reply::answer(r#"{"statements": ["Grid Nine powers Pump Alpha."]}"#)
        } else {
            provider(seen)
        }
    })
    .await;
    let folder = project(&stub.url);
    let file = folder.path().join("compare/roles.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    let (builtin, mine) = text.split_once("  mine:\n").unwrap();
    let evaluator =
        format!("ragas_evaluator: {{endpoint: \"{}/v1\", model: osprey, api_key_env: HERON_KEY}}", stub.url);
    let mine = mine.replace("ragas_evaluator: builtin", &evaluator);
    std::fs::write(&file, format!("{builtin}  mine:\n{mine}")).unwrap();
    let output = run(folder.path(), &["--roles", "mine"], KEY).await;
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let evidence = std::fs::read_to_string(folder.path().join("compare/results/harbor-mine.jsonl")).unwrap();
    let row: Value = serde_json::from_str(evidence.lines().next().unwrap()).unwrap();
    let ragas = &row["metrics"]["ragas"];
    assert_eq!((&ragas["evaluator_model"], &ragas["embeddings_model"]), (&json!("osprey"), &json!("stork")));
    assert_eq!(ragas["scores"]["faithfulness"], json!(1.0));
    let role = &row["reproducibility"]["runtime"]["gateway"]["roles"]["ragas_evaluator"];
    assert_eq!((&role["model"], role["prompt_sha256"].as_str().map(str::len)), (&json!("osprey"), Some(64)));
    assert!(!evidence.contains(KEY));
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragsql"));
    let statement = "select detail_text, verdict, reason from score_details where metric = 'faithfulness'";
    command.arg("sql").arg("--project").arg(folder.path()).arg(statement).env_clear();
    let answer = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let table = told(&answer);
    assert!(table.contains("Grid Nine powers Pump Alpha.") && table.contains("said so"), "{table}");
}
