//! Every file under `tests/fixtures/experiment/broken/<which>/` replaces that file of the valid project; what people
//! see must equal the `.err` beside it. `UPDATE_GOLDEN=1` writes the `.err` files anew, for review in the diff.

use super::{messages, project_with, valid_project};
use ragsql::error::{Failure, Kind};
use ragsql::experiment::{Experiment, Files};
use std::fmt::Write as _;
use std::path::Path;

#[test]
fn every_broken_file_gives_its_golden_text() {
    let broken = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/experiment/broken");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut cases = 0;
    let mut wrong = String::new();
    for which in ["evaluation", "datasets", "flavors", "roles", "queries"] {
        for entry in std::fs::read_dir(broken.join(which)).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().unwrap().to_str().unwrap();
            if ending == "err" {
                continue;
            }
            cases += 1;
            let seen = refusal(which, ending, &std::fs::read(&path).unwrap());
            let golden = path.with_extension("err");
            if update {
                std::fs::write(&golden, &seen).unwrap();
            } else if std::fs::read_to_string(&golden).unwrap_or_default() != seen {
                writeln!(wrong, "{}\n{seen}", path.display()).unwrap();
            }
        }
    }
    assert!(cases > 50, "only {cases} cases found");
    assert!(wrong.is_empty(), "differs from the golden file:\n{wrong}");
}

/// What a person sees when this content replaces that file.
fn refusal(which: &str, ending: &str, content: &[u8]) -> String {
    let file = if which == "queries" { format!("demo/queries.{ending}") } else { format!("compare/{which}.yaml") };
    let project = project_with(&file, content);
    let questions_file = if which == "queries" { file.as_str() } else { "demo/queries.yaml" };
    let result = Experiment::load(project.path(), &Files::default()).and_then(|experiment| {
        let dataset = match which {
            "datasets" => experiment.dataset("harbour")?,
            _ => experiment.resolve_dataset(None, Some(Path::new(questions_file)))?,
        };
        experiment.load_questions(&dataset).map(|_| ())
    });
    let Err(problems) = result else { return "accepted\n".to_owned() };
    let failure = Failure::from(problems);
    assert_eq!(failure.kind, Kind::Input);
    let mut text = String::new();
    for message in &failure.messages {
        writeln!(text, "error: {message}").unwrap();
    }
    for hint in &failure.hints {
        writeln!(text, "hint: {hint}").unwrap();
    }
    text
}

#[test]
fn problems_of_several_files_are_reported_together() {
    let project = project_with("compare/flavors.yaml", "flavors: 42\n");
    std::fs::write(project.path().join("compare/roles.yaml"), "version: 2\n").unwrap();
    let manifest = std::fs::read_to_string(valid_project().join("compare/evaluation.yaml")).unwrap();
    std::fs::write(project.path().join("compare/evaluation.yaml"), manifest.replace("retries: 2", "retries: two"))
        .unwrap();
    std::fs::write(project.path().join("compare/datasets.yaml"), "datasets: []\n").unwrap();
    let problems = Experiment::load(project.path(), &Files::default()).unwrap_err();
    let files: Vec<&str> = problems.0.iter().filter_map(|problem| problem.file.as_deref()).collect();
    for file in ["compare/evaluation.yaml", "compare/datasets.yaml", "compare/flavors.yaml", "compare/roles.yaml"] {
        assert!(files.contains(&file), "{file} is missing from {files:?}");
    }
}

#[test]
fn a_missing_manifest_and_a_named_file_that_is_missing_are_errors() {
    let project = project_with("unused.txt", "");
    std::fs::remove_file(project.path().join("compare/evaluation.yaml")).unwrap();
    let files = Files { flavors: Some("mine.yaml".into()), ..Files::default() };
    let problems = Experiment::load(project.path(), &files).unwrap_err();
    assert_eq!(
        messages(&problems),
        [
            "compare/evaluation.yaml: cannot read the file: it does not exist",
            "mine.yaml: cannot read the file: it does not exist"
        ]
    );
}

#[test]
fn no_message_holds_the_absolute_path_of_the_project() {
    let project = project_with("compare/evaluation.yaml", "version: 1\ndatasets_file: nowhere.yaml\n");
    let problems = Experiment::load(project.path(), &Files::default()).unwrap_err();
    assert!(!problems.to_string().contains(project.path().to_str().unwrap()), "{problems}");
}

#[test]
fn many_problems_are_counted_and_only_the_first_printed() {
    let rows: String = (0..400).map(|number| format!("- {{id: q{number}}}\n")).collect();
    let text = refusal("queries", "yaml", rows.as_bytes());
    assert_eq!(text.matches("error: ").count(), 25);
    assert!(text.ends_with("hint: 400 errors, the first 25 shown, nothing was called\n"), "{text}");
}
