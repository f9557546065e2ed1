//! The guides under `docs/guide`: every command of a `console` block is run as it stands, in a copy of this project.
//!
//! Only addresses are replaced, by those of a loopback service that speaks the shapes of Ollama, of LiteLLM and of a RAG
//! service of one's own. A line with `$` begins a command, lines with `>` continue it.

use super::support::{Service, answer_with};
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

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true if entry.file_name() == "results" => {}
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// What Ollama, a LiteLLM proxy and a small RAG service answer.
fn service(seen: &Seen) -> Reply {
    match seen.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "team-rag"}, {"id": "other-rag"}, {"id": "my-rag"}]})),
        "/v1/embeddings" => {
            let texts = seen.body["input"].as_array().map_or(1, Vec::len);
            let row = |index: usize| json!({"index": index, "embedding": [1.0, index as f64, 2.0]});
            Reply::json(json!({"data": (0..texts).map(row).collect::<Vec<Value>>()}))
        }
        _ if seen.body["messages"].to_string().contains("\\\"entities") => {
            answer_with("{\"entities\": [], \"relations\": []}", json!({}))
        }
        _ if seen.body["messages"].to_string().contains("\\\"scores\\\"") => {
            answer_with("{\"scores\": {\"A\": 4}, \"best\": \"A\", \"reason\": \"fine\"}", json!({}))
        }
        _ => {
            let specific =
                json!({"sources": [{"path": "ferry.md", "text": "The noon ferry leaves at noon from pier 4."}]});
            let message = json!({
                "role": "assistant", "content": "It leaves at noon from pier 4.", "provider_specific_fields": specific
            });
            let choice = json!({"index": 0, "finish_reason": "stop", "message": message});
            let usage = json!({"prompt_tokens": 50, "completion_tokens": 6, "total_tokens": 56});
            Reply::json(json!({"model": "my-model", "choices": [choice], "usage": usage}))
        }
    }
}

#[track_caller]
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
    for (name, _) in std::env::vars_os() {
        let ours = ["MATRIX_", "JUDGE_", "RAGSQL_"].iter().any(|prefix| name.to_string_lossy().starts_with(prefix));
        if ours {
            command.env_remove(name);
        }
    }
    let script = format!("export LITELLM_API_KEY=sk-1234\nset -x\n{script}\n");
    let output =
        command.args(["-euo", "pipefail", "-c", &script]).current_dir(&folder).env("PATH", path).output().unwrap();
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name}: {}\n{told}", output.status);
}

#[test]
fn every_guide_is_followed_by_a_test() {
    let followed = [
        "adding-a-metric.md",
        "ci.md",
        "ladder.md",
        "litellm.md",
        "ollama.md",
        "reading-results.md",
        "ten-minutes.md",
        "your-own-endpoint.md",
    ];
    let mut found: Vec<String> = fs::read_dir(root().join("docs/guide"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, followed);
}

#[test]
fn the_ladder() {
    follow("ladder.md");
}

#[test]
fn ten_minutes() {
    follow("ten-minutes.md");
}

#[test]
fn with_ollama() {
    follow("ollama.md");
}

#[test]
fn with_litellm() {
    follow("litellm.md");
}

#[test]
fn with_an_endpoint_of_ones_own() {
    follow("your-own-endpoint.md");
}

#[test]
fn reading_results() {
    follow("reading-results.md");
}

#[test]
fn two_runs_and_a_gate() {
    follow("ci.md");
}

#[test]
fn adding_a_metric() {
    follow("adding-a-metric.md");
}
