//! Which approaches a run asks (`contract/evaluation.md` 1.3, `contract/gateway.md` TV-32).

use super::{load, messages, project_with, valid_project};
use ragsql::experiment::Experiment;
use ragsql::experiment::manifest::EvidenceCapability;
use ragsql::experiment::selection::Selection;

const SIX: [&str; 6] = ["vanilla-rag", "hybrid-rag", "contextual-rag", "graph-rag", "agentic-rag", "n8n-adaptive-rag"];

fn owned(items: &str) -> Vec<String> {
    items.split(',').map(str::to_owned).collect()
}

fn aliases(experiment: &Experiment, selection: Selection) -> Vec<String> {
    let selected = experiment.select(selection).unwrap_or_else(|problems| panic!("{problems}"));
    selected.iter().map(|(profile, _)| profile.alias.clone()).collect()
}

fn flavors(experiment: &Experiment, items: &str) -> Vec<String> {
    aliases(experiment, Selection::Flavors(&owned(items)))
}

/// The valid project with only the named approaches in its manifest.
fn with_approaches(models: &[&str]) -> Experiment {
    let text = std::fs::read_to_string(valid_project().join("compare/evaluation.yaml")).unwrap();
    let (head, tail) = (text.split("approaches:").next().unwrap(), text.split("metrics:").nth(1).unwrap());
    let rows: String = models.iter().map(|model| format!("  - {{model: {model}, evidence: answer_only}}\n")).collect();
    load(project_with("compare/evaluation.yaml", format!("{head}approaches:\n{rows}metrics:{tail}")).path())
}

#[test]
fn tv_32_words_expand_in_order_and_each_alias_once() {
    let experiment = load(&valid_project());
    assert_eq!(flavors(&experiment, "default"), SIX);
    let mut wide_first = vec!["graph-rag-wide"];
    wide_first.extend(SIX);
    assert_eq!(flavors(&experiment, "graph-rag-wide,default"), wide_first);
    assert_eq!(
        flavors(&experiment, "hybrid-rag,hybrid-rag-fast"),
        ["hybrid-rag", "hybrid-rag-high-recall", "hybrid-rag-fast"]
    );
    assert_eq!(
        flavors(&experiment, "lazy-graph-rag"),
        ["lazy-graph-rag", "lazy-graph-rag-fast", "lazy-graph-rag-balanced", "lazy-graph-rag-wide"]
    );
    assert_eq!(
        flavors(&experiment, "graph-rag,default,graph-rag-fast"),
        [
            "graph-rag",
            "graph-rag-fast",
            "graph-rag-wide",
            "graph-rag-rerank",
            "vanilla-rag",
            "hybrid-rag",
            "contextual-rag",
            "agentic-rag",
            "n8n-adaptive-rag"
        ]
    );
}

#[test]
fn all_gives_every_alias_of_the_manifest() {
    assert_eq!(flavors(&load(&valid_project()), "all").len(), 19);
    assert_eq!(
        flavors(&with_approaches(&["lazy-graph-rag", "vanilla-rag"]), "all"),
        [
            "lazy-graph-rag",
            "lazy-graph-rag-fast",
            "lazy-graph-rag-balanced",
            "lazy-graph-rag-wide",
            "vanilla-rag",
            "vanilla-rag-wide"
        ]
    );
}

#[test]
fn without_a_selection_the_manifest_is_asked_in_its_own_order() {
    // The contract's fixed six are not used: a manifest that lists three approaches measures three.
    let three = with_approaches(&["lazy-graph-rag", "vanilla-rag", "hybrid-rag"]);
    assert_eq!(aliases(&three, Selection::Manifest), ["lazy-graph-rag", "vanilla-rag", "hybrid-rag"]);
    assert_eq!(flavors(&three, "default"), ["vanilla-rag", "hybrid-rag"]);
}

#[test]
fn models_keep_order_and_repeats_and_drop_blanks() {
    let experiment = load(&valid_project());
    let models = owned("hybrid-rag, ,vanilla-rag,hybrid-rag,  graph-rag-fast ");
    assert_eq!(
        aliases(&experiment, Selection::Models(&models)),
        ["hybrid-rag", "vanilla-rag", "hybrid-rag", "graph-rag-fast"]
    );
    let blank = owned(" ,");
    assert_eq!(
        messages(&experiment.select(Selection::Models(&blank)).unwrap_err()),
        ["the selection names no approach"]
    );
}

#[test]
fn a_flavor_has_the_capability_of_its_base() {
    let experiment = load(&valid_project());
    let selected = experiment.select(Selection::Models(&owned("graph-rag-fast,hybrid-rag-fast"))).unwrap();
    assert_eq!(selected[0].1, EvidenceCapability::AnswerOnly);
    assert_eq!(selected[1].1, EvidenceCapability::AnswerWithContexts);
}

#[test]
fn every_unknown_name_is_reported() {
    let experiment = load(&valid_project());
    let problems = experiment.select(Selection::Flavors(&owned("hybrid-rag-fats,Vanilla-RAG,default"))).unwrap_err();
    assert_eq!(
        messages(&problems),
        [
            "unknown approach `hybrid-rag-fats` (did you mean `hybrid-rag-fast`?)",
            "unknown approach `Vanilla-RAG` (did you mean `vanilla-rag`?)"
        ]
    );
    let three = with_approaches(&["vanilla-rag"]);
    assert_eq!(
        messages(&three.select(Selection::Models(&owned("pelican"))).unwrap_err()),
        ["unknown approach `pelican` (valid: `vanilla-rag` and `vanilla-rag-wide`)"]
    );
}

#[test]
fn a_base_that_the_manifest_does_not_list_is_an_error() {
    let three = with_approaches(&["vanilla-rag", "hybrid-rag"]);
    let problems = three.select(Selection::Models(&owned("graph-rag-fast,graph-rag,vanilla-rag"))).unwrap_err();
    assert_eq!(
        messages(&problems),
        [
            "compare/evaluation.yaml: the manifest does not list `graph-rag`, the base of `graph-rag-fast` (it lists \
             `vanilla-rag` and `hybrid-rag`)",
            "compare/evaluation.yaml: the manifest does not list the approach `graph-rag` (it lists `vanilla-rag` and \
             `hybrid-rag`)"
        ]
    );
}

#[test]
fn somebody_elses_approach_is_its_own_base() {
    let own = with_approaches(&["library-helper", "vanilla-rag"]);
    let selected = own.select(Selection::Manifest).unwrap();
    let profile = &selected[0].0;
    assert_eq!((profile.alias.as_str(), profile.base.as_str()), ("library-helper", "library-helper"));
    assert_eq!(flavors(&own, "library-helper,all"), ["library-helper", "vanilla-rag", "vanilla-rag-wide"]);
}
