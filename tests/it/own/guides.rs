//! The guides under `docs/guide`: every command of a `console` block is run as it stands, in a copy of this project.
//!
//! Only addresses are replaced, by those of a loopback service that speaks the shapes of Ollama, of LiteLLM and of a RAG
//! service of one's own. A line with `$` begins a command, lines with `>` continue it.

use super::support::{Service, answer_with};
use crate::cli::project::{copy, forget_settings};
use crate::golden::root;
use crate::stub::{Reply, Seen};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The commands of a guide, in order.
fn commands(guide: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut inside = false;
    for line in guide.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => {
                if let Some(command) = line.strip_prefix("$ ") {
                    commands.push(command.to_owned());
                } else if let (Some(rest), Some(command)) = (line.strip_prefix("> "), commands.last_mut()) {
                    command.push('\n');
                    command.push_str(rest);
                } else {
                    panic!("`{line}` is neither a command nor its continuation");
                }
            }
        }
    }
    commands
}

/// What an evaluator is asked for, and a reply that answers it.
fn scoring(prompt: &str) -> Option<Value> {
    if let Some((_, rest)) = prompt.split_once("nothing else, with ") {
        let questions_n: usize = rest.split_once(" entries").unwrap().0.parse().unwrap();
        return Some(
            json!({"questions": vec![json!({"question": "When does it leave?", "noncommittal": 0}); questions_n]}),
        );
    }
    if prompt.contains("one entry for each of the 1 statements") {
        return Some(json!({"verdicts": [{"statement": 1, "reason": "the passage says so", "verdict": 1}]}));
    }
    if prompt.contains("one entry for each sentence") {
        return Some(json!({"statements": [{"statement": "It leaves at noon.", "reason": "so", "attributed": 1}]}));
    }
    if prompt.contains("{\"statements\": [\"<statement>\"") {
        return Some(json!({"statements": ["It leaves at noon from pier 4."]}));
    }
    prompt.contains("\"verdict\": <0 or 1>").then(|| json!({"reason": "useful", "verdict": 1}))
}

/// What Ollama, a LiteLLM proxy and a small RAG service answer.
fn service(seen: &Seen) -> Reply {
    let prompt = seen.body["messages"].as_array().into_iter().flatten();
    let prompt: String = prompt.filter_map(|message| message["content"].as_str()).collect();
    match seen.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "team-rag"}, {"id": "other-rag"}, {"id": "my-rag"}]})),
        "/v1/embeddings" => {
            let texts = seen.body["input"].as_array().map_or(1, Vec::len);
            let row = |index: usize| json!({"index": index, "embedding": [1.0, index as f64, 2.0]});
            Reply::json(json!({"data": (0..texts).map(row).collect::<Vec<Value>>()}))
        }
        _ if prompt.contains("\"entities") => answer_with("{\"entities\": [], \"relations\": []}", json!({})),
        _ if prompt.contains("\"scores\"") => {
            answer_with("{\"scores\": {\"A\": 4}, \"best\": \"A\", \"reason\": \"fine\"}", json!({}))
        }
        _ => scoring(&prompt).map_or_else(answer, |reply| answer_with(&reply.to_string(), json!({}))),
    }
}

/// The answer to any other question.
fn answer() -> Reply {
    let specific = json!({"sources": [{"path": "ferry.md", "text": "The noon ferry leaves at noon from pier 4."}]});
    let message = json!({
        "role": "assistant", "content": "It leaves at noon from pier 4.", "provider_specific_fields": specific
    });
    let choice = json!({"index": 0, "finish_reason": "stop", "message": message});
    let usage = json!({"prompt_tokens": 50, "completion_tokens": 6, "total_tokens": 56});
    Reply::json(json!({"model": "my-model", "choices": [choice], "usage": usage}))
}

/// Does what a guide says, in a project of its own.
fn follow(name: &str) {
    let service = Service::start(service);
    let address = service.stub.url.trim_start_matches("http://").to_owned();
    let with_address = |text: &str| {
        ["127.0.0.1:11434", "127.0.0.1:4000", "127.0.0.1:8000"]
            .iter()
            .fold(text.to_owned(), |text, documented| text.replace(documented, &address))
    };
    let folder = tempfile::tempdir().unwrap();
    for part in ["compare", "corpus", "demo"] {
        copy(&root().join(part), &folder.path().join(part));
    }
    let roles = folder.path().join("compare/roles.yaml");
    fs::write(&roles, with_address(&fs::read_to_string(&roles).unwrap())).unwrap();
    let guide = fs::read_to_string(root().join("docs/guide").join(name)).unwrap();
    let commands = commands(&guide);
    assert!(!commands.is_empty(), "{name} has no command");

    let binary = Path::new(env!("CARGO_BIN_EXE_ragsql")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let script = with_address(&commands.join("\n"));
    let mut command = Command::new("bash");
    forget_settings(&mut command);
    let script = format!("export LITELLM_API_KEY=sk-1234\nset -x\n{script}\n");
    let output =
        command.args(["-euo", "pipefail", "-c", &script]).current_dir(&folder).env("PATH", path).output().unwrap();
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name}: {}\n{told}", output.status);
}

#[test]
fn every_guide_can_be_followed_to_its_end() {
    let guides = fs::read_dir(root().join("docs/guide")).unwrap();
    let mut names: Vec<String> = guides.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(names.contains(&"ten-minutes.md".to_owned()), "{names:?}");
    names.iter().for_each(|name| follow(name));
}
