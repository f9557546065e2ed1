//! Publication as one step: killed behind every one of its parts, the old set or the new one is in force, whole.

use ragsql::experiment::load::{Experiment, Files};
use ragsql::ladder::Error;
use ragsql::ladder::names::{Artifact, Tier};
use ragsql::ladder::publication::{Publication, Source, Step};
use ragsql::ladder::recovery::{Catalogued, sweep_staging, sweep_stem};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROJECT: &str = "RAGSQL_TEST_LADDER_PROJECT";
const STEP: &str = "RAGSQL_TEST_LADDER_STEP";

const CATALOGUE: &str = "datasets:\n  - id: lake   # ours\n    label: Lake\n    status: candidate\n    complexity_level: 1\n    \
                         corpus_path: corpus\n    questions_file: demo/lake.yaml\n";
const MANIFEST: &str = "version: 1\nroot: ..\ndatasets_file: datasets.yaml\napproaches: [{model: vanilla-rag, evidence: \
                        answer_only}]\nmetrics: {judge_panel: {enabled: false}}\nrun: {}\n";

/// A project whose working files all hold one word.
fn project(word: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for made in ["compare/results", "docs/results"] {
        fs::create_dir_all(folder.path().join(made)).unwrap();
    }
    fs::write(folder.path().join("compare/datasets.yaml"), CATALOGUE).unwrap();
    fs::write(folder.path().join("compare/evaluation.yaml"), MANIFEST).unwrap();
    work(folder.path(), word);
    folder
}

fn work(project: &Path, word: &str) {
    for source in publication(project).sources {
        fs::write(source.path, word).unwrap();
    }
}

fn publication(project: &Path) -> Publication {
    let source = |tier: Tier, artifact: Artifact| {
        let path = project.join("compare/results").join(artifact.file_name(&tier.run_id("d", "lake")));
        Source { tier, artifact, path }
    };
    Publication {
        project: project.to_owned(),
        folder: project.join("docs/results"),
        catalogue: project.join("compare/datasets.yaml"),
        dataset_id: "lake".to_owned(),
        stamp: "d".to_owned(),
        sources: Tier::ALL.into_iter().flat_map(|tier| Artifact::ALL.map(|artifact| source(tier, artifact))).collect(),
    }
}

fn publish(project: &Path) -> Result<PathBuf, Error> {
    publication(project).publish(|_| Ok(()), &mut |_| {})
}

/// The files that the catalogue names.
fn named(project: &Path) -> Vec<PathBuf> {
    let experiment = Experiment::load(project, &Files::default()).unwrap();
    let notes = &experiment.datasets[0].notes;
    notes.iter().filter(|(key, _)| key.ends_with("_snapshot")).map(|(_, path)| project.join(path)).collect()
}

/// The one word that all published files hold; nothing when none is published.
#[track_caller]
fn in_force(project: &Path) -> Option<String> {
    let files = named(project);
    assert!(files.is_empty() || files.len() == 8, "half a set is named: {files:?}");
    let words: BTreeSet<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    assert!(words.len() <= 1, "two sets are mixed: {words:?}");
    words.into_iter().next()
}

fn folders(project: &Path) -> Vec<String> {
    let entries = fs::read_dir(project.join("docs/results")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Sweeps like a ladder at its start.
fn recover(project: &Path) {
    let publication = publication(project);
    sweep_staging(&publication.folder, &publication.catalogue).unwrap();
    let working = publication.sources.iter().map(|source| (publication.file_name(source), source.path.clone()));
    let named = named(project).iter().map(|file| file.parent().unwrap().to_owned()).collect();
    sweep_stem(&publication.folder, "live-d-lake", &Catalogued { named, working: working.collect() }).unwrap();
}

/// Publishes in a process of its own that kills itself behind a step; says whether it got that far.
fn is_killed_behind(project: &Path, step: usize) -> bool {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "ladder::publishing::a_process_with_a_step_publishes_up_to_it", "--nocapture"])
        .env(PROJECT, project)
        .env(STEP, step.to_string())
        .output()
        .unwrap();
    use std::os::unix::process::ExitStatusExt as _;
    match output.status.signal() {
        Some(libc::SIGKILL) => true,
        _ => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            false
        }
    }
}

/// Plays its part when a case started it; nobody sets the variables in an ordinary test run.
#[test]
fn a_process_with_a_step_publishes_up_to_it() {
    let (Some(project), Ok(last)) = (std::env::var_os(PROJECT), std::env::var(STEP)) else { return };
    let last: usize = last.parse().unwrap();
    let mut done = 0;
    let die = &mut |_: Step| {
        if done == last {
            // SAFETY: ends this very process, at once and without a word, which is the point.
            unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
        }
        done += 1;
    };
    publication(Path::new(&project)).publish::<Error>(|_| Ok(()), die).unwrap();
}

#[test]
fn killed_behind_any_step_the_old_set_or_the_new_one_is_in_force() {
    let mut steps = Vec::new();
    let whole = project("new");
    publication(whole.path()).publish::<Error>(|_| Ok(()), &mut |step| steps.push(step)).unwrap();
    let commit = steps.iter().position(|step| *step == Step::Named).unwrap();
    assert_eq!((steps.len(), commit), (15, 13));
    for (step, behind) in steps.iter().enumerate() {
        let project = project("old");
        publish(project.path()).unwrap();
        work(project.path(), "new");
        assert!(is_killed_behind(project.path(), step), "{behind:?}");
        let expected = if step < commit { "old" } else { "new" };
        assert_eq!(in_force(project.path()).as_deref(), Some(expected), "killed behind {behind:?}");
        recover(project.path());
        assert_eq!(in_force(project.path()).as_deref(), Some(expected), "swept behind {behind:?}");
        assert_eq!(folders(project.path()).len(), 1, "swept behind {behind:?}");
        publish(project.path()).unwrap();
        assert_eq!(in_force(project.path()).as_deref(), Some("new"));
        assert_eq!(folders(project.path()).len(), 1);
    }
}

#[test]
fn killed_behind_any_step_of_the_first_publication_nothing_or_all_is_in_force() {
    for step in 0..15 {
        let project = project("new");
        assert!(is_killed_behind(project.path(), step));
        assert_eq!(in_force(project.path()).is_some(), step >= 13, "step {step}");
        recover(project.path());
        assert_eq!(folders(project.path()).len(), usize::from(step >= 13), "step {step}");
        assert!(!project.path().join("compare/.datasets.yaml.next").exists());
    }
    assert!(!is_killed_behind(project("new").path(), 15), "there are no further steps");
}

#[test]
fn what_is_refused_while_it_waits_changes_nothing() {
    let project = project("old");
    publish(project.path()).unwrap();
    let catalogue = fs::read_to_string(project.path().join("compare/datasets.yaml")).unwrap();
    work(project.path(), "new");
    let refuse = |staging: &Path| {
        assert_eq!(fs::read_dir(staging).unwrap().count(), 8);
        Err(Error::Outside { path: staging.to_owned() })
    };
    assert!(publication(project.path()).publish(refuse, &mut |_| {}).is_err());
    assert_eq!(in_force(project.path()).as_deref(), Some("old"));
    assert_eq!(fs::read_to_string(project.path().join("compare/datasets.yaml")).unwrap(), catalogue);
}

#[test]
fn a_folder_with_anything_else_in_it_stays() {
    let project = project("new");
    let hand_made = project.path().join("docs/results/live-d-lake");
    fs::create_dir_all(&hand_made).unwrap();
    fs::write(hand_made.join("notes.md"), "mine").unwrap();
    recover(project.path());
    assert_eq!(publish(project.path()).unwrap(), project.path().join("docs/results/live-d-lake--2"));
    recover(project.path());
    assert!(hand_made.join("notes.md").exists());
}
