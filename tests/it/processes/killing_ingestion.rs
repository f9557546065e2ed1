//! A gateway that is killed at any phase of an ingestion, or while it answers: its index opens again, and the ingestion
//! completes when it is submitted again, without reading again what had been read.

use crate::child::Talking;
use crate::cli::project::Project;
use crate::stub::{Reply, Seen, Stub};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const DOCUMENTS_N: usize = 6;

/// A project whose models stand behind `url`, one model name a role.
fn project(url: &str) -> Project {
    let project = Project::new();
    let manifest = project.read("compare/evaluation.yaml").replace(
        "approaches:\n",
        "approaches:\n  - {model: contextual-rag, evidence: answer_with_contexts}\n  - {model: graph-rag, evidence: answer_with_contexts}\n",
    );
    project.write("compare/evaluation.yaml", &manifest);
    let roles: String = ["embed", "light_gen", "contextual_blurb", "extract", "keyword", "query"]
        .iter()
        .map(|role| {
            format!("    {role}: {{endpoint: \"{url}/v1\", model: {role}-model, retries: 0, max_concurrency: 1}}\n")
        })
        .collect();
    let built_in: String = ["agentic", "classifier", "ragas_evaluator", "rerank"]
        .iter()
        .map(|role| format!("    {role}: builtin\n"))
        .collect();
    project.write(
        "compare/roles.yaml",
        &format!("version: 1\ndefault_preset: remote\npresets:\n  remote:\n{roles}{built_in}"),
    );
    for number in 3..DOCUMENTS_N {
        let text = format!("# Quay {number}\n\nQuay {number} belongs to the harbour office of Arvo.\n");
        project.write(&format!("corpus/harbour/quay-{number}.md"), &text);
    }
    project
}

/// Answers every model, but hangs on one of them after so many calls for as long as it is told to.
struct Models {
    stub: Stub,
    hung_n: Arc<AtomicUsize>,
    is_healthy: Arc<AtomicBool>,
}

impl Models {
    async fn hanging(model: &'static str, after_n: usize) -> Self {
        let (hung_n, is_healthy) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (hung, healthy, calls_n) = (Arc::clone(&hung_n), Arc::clone(&is_healthy), AtomicUsize::new(0));
        let stub = Stub::start(move |seen: &Seen| {
            let is_its_turn = seen.model() == model && calls_n.fetch_add(1, Ordering::SeqCst) >= after_n;
            if is_its_turn && !healthy.load(Ordering::SeqCst) {
                hung.fetch_add(1, Ordering::SeqCst);
                return Reply::Hang;
            }
            match seen.model() {
                "embed-model" => vectors(&seen.body["input"]),
                "extract-model" => Reply::answer(
                    r#"{"entities": [{"name": "Arvo", "kind": "office", "aliases": [], "description": "an office"}], "relations": []}"#,
                ),
                "keyword-model" => Reply::answer(r#"{"low_level": ["Arvo"], "high_level": []}"#),
                _ => Reply::answer("The noon ferry leaves at noon."),
            }
        })
        .await;
        Self { stub, hung_n, is_healthy }
    }

    fn calls_n(&self, model: &str) -> usize {
        self.stub.seen().iter().filter(|seen| seen.model() == model).count()
    }
}

/// One vector for every text, made from its bytes.
fn vectors(input: &Value) -> Reply {
    let texts = input.as_array().cloned().unwrap_or_else(|| vec![input.clone()]);
    let vector = |text: &Value| -> Vec<f64> {
        let bytes = text.as_str().unwrap_or_default().as_bytes();
        let sum = |lane: usize| bytes.iter().skip(lane).step_by(4).map(|byte| f64::from(*byte)).sum::<f64>();
        (0..4).map(|lane| 1.0 + sum(lane)).collect()
    };
    let rows: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| json!({"object": "embedding", "index": index, "embedding": vector(text)}))
        .collect();
    Reply::json(json!({"object": "list", "model": "embed-model", "data": rows}))
}

/// A gateway over the project; it is killed when dropped.
fn gateway(project: &Project) -> Talking {
    Talking::start(project.command(&["gateway", "--listen", "127.0.0.1:0"]))
}

/// Waits until a gateway has ingested; gives its address and what it said.
#[track_caller]
fn ready(gateway: &Talking) -> (String, String) {
    let said = gateway.says("models  ");
    let address = said.split("http://").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap();
    (format!("http://{address}"), said)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_killed_while_it_ingests_goes_on_from_there() {
    let moments = [
        ("embed-model", 1, "while chunks are embedded"),
        ("contextual_blurb-model", 2, "while blurbs are written"),
        ("extract-model", 3, "while chunks are read for the graph"),
        ("embed-model", 3, "while the contextual collection or the graph is embedded"),
    ];
    for (model, after_n, moment) in moments {
        let models = Models::hanging(model, after_n).await;
        let project = project(&models.stub.url);
        let mut killed = gateway(&project);
        killed.until(moment, || models.hung_n.load(Ordering::SeqCst) > 0);
        drop(killed);
        models.is_healthy.store(true, Ordering::SeqCst);
        let again = gateway(&project);
        let (_, said) = ready(&again);
        assert!(said.contains(&format!("{DOCUMENTS_N} files, {DOCUMENTS_N} chunks")), "{moment}: {said}");
        drop(again);
        for role in ["contextual_blurb-model", "extract-model"] {
            // What arrived but was not stored may be asked for again: with one call at a time, one chunk and the one that hung.
            let calls_n = models.calls_n(role);
            assert!((DOCUMENTS_N..=DOCUMENTS_N + 2).contains(&calls_n), "{moment}: {calls_n} calls of {role}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_killed_while_it_answers_serves_the_same_index_again() {
    let models = Models::hanging("light_gen-model", 0).await;
    let project = project(&models.stub.url);
    let mut killed = gateway(&project);
    let (url, _) = ready(&killed);
    let question = json!({"model": "hybrid-rag", "messages": [{"role": "user", "content": "When?"}]}).to_string();
    let asking = tokio::spawn(crate::stub::post(format!("{url}/v1/chat/completions"), question.clone()));
    killed.until("a call that hangs", || models.hung_n.load(Ordering::SeqCst) > 0);
    drop(killed);
    assert!(asking.await.unwrap().is_none(), "a killed gateway gives no answer");
    models.is_healthy.store(true, Ordering::SeqCst);
    let again = gateway(&project);
    let (url, said) = ready(&again);
    assert!(said.contains("(there already)"), "{said}");
    let answer = crate::stub::post(format!("{url}/v1/chat/completions"), question).await.unwrap();
    assert!(answer.contains("The noon ferry leaves at noon."), "{answer}");
    drop(again);
    assert_eq!(models.calls_n("extract-model"), DOCUMENTS_N, "nothing was ingested again");
}
