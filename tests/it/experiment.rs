//! The experiment files: what is accepted, what every refusal looks like, what is selected and how much it can cost.

mod files;
mod hostile_yaml;
mod plan_bounds;
mod questions;
mod refusals;
mod selection;
mod vectors;

use crate::cli::project::copy;
use ragsql::experiment::{Experiment, Files};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The folder with the project that is right in every respect.
fn valid_project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/experiment/valid")
}

/// A copy of the valid project, with one file replaced or added.
fn project_with(file: &str, content: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&valid_project(), folder.path());
    let path = folder.path().join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
    folder
}

fn load(project: &Path) -> Experiment {
    Experiment::load(project, &Files::default()).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The first line of every problem.
fn messages(problems: &ragsql::experiment::problem::Problems) -> Vec<String> {
    problems.0.iter().map(|problem| problem.to_string().lines().next().unwrap().to_owned()).collect()
}
