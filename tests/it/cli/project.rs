//! A project of three documents and three questions, and the binary that works in it.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A project folder that goes away when dropped.
pub struct Project {
    folder: TempDir,
}

impl Project {
    /// Three questions over three harbour notices, asked of the three approaches; no judge, two metrics.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = Self { folder };
        project.write(
            "compare/evaluation.yaml",
            "version: 1\nroot: ..\ndatasets_file: datasets.yaml\napproaches:\n\
             \x20 - {model: vanilla-rag, evidence: answer_with_contexts}\n\
             \x20 - {model: hybrid-rag, evidence: answer_with_contexts}\n\
             \x20 - {model: lazy-graph-rag, evidence: answer_with_contexts}\n\
             metrics:\n  ragas: [faithfulness, answer_relevancy]\n  judge_panel: {enabled: false}\n\
             run: {retries: 1, timeout_s: 30, evaluator_timeout_s: 30, concurrency: 4, seed: s1}\n",
        );
        project.write(
            "compare/datasets.yaml",
            "datasets:\n  - id: harbour\n    label: Harbour notices\n    status: measured\n    complexity_level: 1\n\
             \x20   corpus_path: corpus/harbour\n    questions_file: demo/harbour.yaml\n",
        );
        project.write(
            "demo/harbour.yaml",
            "- {id: ferry, query: When does the noon ferry leave?, ground_truth: It leaves at noon from pier 4.}\n\
             - {id: crane, query: What lifts the containers?, ground_truth: \"The crane K-17 lifts them.\"}\n\
             - {id: \"007\", query: What does code E-93 mean?, ground_truth: The gate is stuck.}\n",
        );
        project.write("corpus/harbour/ferry.md", "# Ferry\n\nThe noon ferry leaves at noon from pier 4 every day.\n");
        project.write("corpus/harbour/crane.md", "# Crane\n\nThe crane K-17 lifts containers of up to 40 tonnes.\n");
        project.write("corpus/harbour/codes.md", "# Codes\n\nCode E-93 means that the lock gate is stuck.\n");
        project
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.root().join(relative)
    }

    pub fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).unwrap_or_else(|error| panic!("{relative}: {error}"))
    }

    /// The rows of a run's evidence, in the order of the file.
    pub fn rows(&self, run: &str) -> Vec<Value> {
        let text = self.read(&format!("compare/results/{run}.jsonl"));
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The binary in this project, without the caller's own settings.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ragsql"));
        forget_settings(&mut command);
        command.current_dir(self.root()).args(arguments);
        command
    }

    /// Runs the binary to its end.
    pub fn ragsql(&self, arguments: &[&str]) -> Told {
        Told::from(self.command(arguments).output().unwrap())
    }
}

/// Takes the settings of whoever runs the tests away from a command.
pub fn forget_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let is_ours = ["MATRIX_", "JUDGE_", "RAGSQL_"].iter().any(|prefix| name.to_string_lossy().starts_with(prefix));
        if is_ours {
            command.env_remove(name);
        }
    }
}

/// Copies a folder of experiment files, without the results of runs.
pub fn copy(from: &Path, to: &Path) {
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

/// What the binary said and how it ended.
pub struct Told {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Told {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Told {
    /// Fails with everything that was said, unless the exit code is this one.
    #[track_caller]
    pub fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    /// Fails with everything that was said, unless stderr holds this text.
    #[track_caller]
    pub fn complains(self, text: &str) -> Self {
        assert!(self.err.contains(text), "`{text}` is not in stderr:\n{}", self.err);
        self
    }
}
