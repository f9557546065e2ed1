//! The plan and what it can cost at most.

use super::{load, valid_project};
use ragsql::experiment::Experiment;
use ragsql::experiment::plan::{Cell, bounds, plan};
use ragsql::experiment::selection::Selection;

fn cells(experiment: &Experiment, models: &[&str]) -> Vec<Cell> {
    let dataset = experiment.dataset("harbour").unwrap();
    let questions = experiment.load_questions(&dataset).unwrap().questions;
    let models: Vec<String> = models.iter().map(|&model| model.to_owned()).collect();
    plan(&dataset, &questions, &experiment.select(Selection::Models(&models)).unwrap())
}

#[test]
fn cells_are_laid_out_question_by_question() {
    let experiment = load(&valid_project());
    let order: Vec<(String, String)> = cells(&experiment, &["graph-rag", "vanilla-rag"])
        .iter()
        .map(|cell| (cell.question.id.clone(), cell.profile.alias.clone()))
        .collect();
    let expected = ["tide", "lunch", "lunch-again"]
        .into_iter()
        .flat_map(|question| ["graph-rag", "vanilla-rag"].map(|alias| (question.to_owned(), alias.to_owned())));
    assert_eq!(order, expected.collect::<Vec<_>>());
}

#[test]
fn a_bound_counts_every_attempt_and_every_wait() {
    let experiment = load(&valid_project());
    let bound = bounds(&cells(&experiment, &["vanilla-rag", "hybrid-rag"]), &experiment.manifest, 5.0);
    assert_eq!((bound.cells, bound.approach_calls_min, bound.approach_calls_max), (6, 6, 18));
    assert_eq!(bound.scoring_calls_max, 18);
    // Two cells in the fullest of four lanes; three attempts of 30 s and of 7.5 s, two waits of 5 s before each kind.
    assert_eq!(bound.time_bound_s, 2.0 * (3.0 * 30.0 + 2.0 * 5.0 + 3.0 * 7.5 + 2.0 * 5.0));
}

#[test]
fn an_alias_given_twice_is_called_once_and_no_metric_means_no_scoring() {
    let experiment = load(&valid_project());
    let mut manifest = experiment.manifest.clone();
    manifest.ragas.clear();
    let bound = bounds(&cells(&experiment, &["vanilla-rag", "vanilla-rag"]), &manifest, 0.0);
    assert_eq!((bound.cells, bound.approach_calls_max, bound.scoring_calls_max), (3, 9, 0));
    assert_eq!(bound.time_bound_s, 90.0);
    assert_eq!(bounds(&[], &manifest, 0.0).time_bound_s, 0.0);
}
