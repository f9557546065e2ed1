//! A service that has never heard of us, and a project that asks it.

use crate::cli::project::Project;
use crate::stub::{Reply, Seen, Stub};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// A stub with the runtime it lives in, for tests that run the binary and wait for it.
pub struct Service {
    pub stub: Stub,
    runtime: Runtime,
}

impl Service {
    pub fn start(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let runtime = Runtime::new().unwrap();
        let stub = runtime.block_on(Stub::start(script));
        Self { stub, runtime }
    }

    /// The base URL that people write down.
    pub fn base(&self) -> String {
        self.stub.chat_url().trim_end_matches("/chat/completions").to_owned()
    }

    /// Ends the service, so that a later call would fail.
    pub fn stop(self) {
        self.runtime.shutdown_background();
    }
}

/// A completion with further fields at its top.
pub fn answer_with(content: &str, fields: Value) -> Reply {
    let message = json!({"role": "assistant", "content": content});
    let mut body = json!({"id": "c1", "model": "theirs", "choices": [{"index": 0, "message": message}]});
    for (key, value) in fields.as_object().unwrap() {
        body[key] = value.clone();
    }
    Reply::json(body)
}

/// The project of the harbour with approaches of somebody else, each `answer_with_contexts`, and its approaches file.
pub fn project_asking(aliases: &[&str], approaches: &str) -> Project {
    let project = Project::new();
    let listed: String =
        aliases.iter().map(|alias| format!("  - {{model: {alias}, evidence: answer_with_contexts}}\n")).collect();
    let manifest = project.read("compare/evaluation.yaml");
    let (head, rest) = manifest.split_once("approaches:\n").unwrap();
    let (_, tail) = rest.split_once("metrics:").unwrap();
    project.write("compare/evaluation.yaml", &format!("{head}approaches:\n{listed}metrics:{tail}"));
    project.write("compare/approaches.yaml", approaches);
    project
}
