//! The flavor vectors TV-23 to TV-32 of `contract/gateway.md`, as the decisions of its section 0 leave them. Where a
//! vector changes, the decision is named: 3 = faults are found when the files are read, 4 = strict values and
//! parameters per base. TV-28 and TV-29 belong to the gateway; here only that names are exact. TV-32: `selection`.

use super::{load, project_with, valid_project};
use ragsql::experiment::flavor::{Param, Profile};
use ragsql::experiment::problem::Problems;
use ragsql::experiment::{Experiment, Files};
use std::sync::Arc;

/// The flavors that a file with this text adds.
fn added(text: &str) -> Result<Vec<Arc<Profile>>, Problems> {
    let project = project_with("compare/flavors.yaml", text);
    Experiment::load(project.path(), &Files::default()).map(|experiment| experiment.flavors[7..].to_vec())
}

/// The value of one parameter of a hybrid flavor; null when the file is refused.
fn hybrid(name: &str, value: &str) -> Option<Param> {
    let text = format!("flavors:\n  - {{alias: x, base: hybrid-rag, params: {{{name}: {value}}}}}\n");
    added(&text).ok().map(|profiles| profiles[0].params[name].clone())
}

#[test]
fn tv_23_integers_are_whole_numbers_without_quotes() {
    assert_eq!(hybrid("retrieve_k", "40"), Some(Param::Integer(40)));
    // Decision 4: the reference reads these as 40, 40 and 4.
    for value in ["\"40\"", "\" 4_0 \"", "4.9"] {
        assert_eq!(hybrid("retrieve_k", value), None, "{value}");
    }
}

#[test]
fn tv_24_what_is_no_positive_integer_is_refused() {
    // `.inf` too: the reference overflows there.
    for value in ["\"4.9\"", "true", "null", "0", ".nan", ".inf"] {
        assert_eq!(hybrid("retrieve_k", value), None, "{value}");
    }
}

#[test]
fn tv_25_alpha_lies_between_zero_and_one() {
    assert_eq!(hybrid("alpha", "0"), Some(Param::Number(0.0)));
    assert_eq!(hybrid("alpha", "1"), Some(Param::Number(1.0)));
    assert_eq!(hybrid("alpha", "0.25"), Some(Param::Number(0.25)));
    // Decision 4: the reference accepts the quoted number.
    for value in ["\"0.25\"", "1.01", ".nan", "true"] {
        assert_eq!(hybrid("alpha", value), None, "{value}");
    }
}

#[test]
fn tv_26_rerank_is_true_or_false() {
    assert_eq!(hybrid("rerank", "false"), Some(Param::Switch(false)));
    assert_eq!(hybrid("rerank", "true"), Some(Param::Switch(true)));
    // Decision 4: YAML 1.2 has no `no` and `off`; the reference reads them as false.
    for value in ["no", "off", "\"false\"", "0"] {
        assert_eq!(hybrid("rerank", value), None, "{value}");
    }
}

#[test]
fn tv_27_a_parameter_is_one_that_the_base_reads() {
    let row = |params: &str| added(&format!("flavors:\n  - {{alias: x, base: vanilla-rag, params: {params}}}\n"));
    assert_eq!(row("{k: 3}").unwrap()[0].params["k"], Param::Integer(3));
    for params in ["", "null", "{}"] {
        assert!(row(params).unwrap()[0].params.is_empty(), "{params}");
    }
    // Decision 4: the reference keeps `nonsense`, and takes `[]` and 0 for an empty mapping.
    for params in ["{k: 3, nonsense: [1]}", "[]", "0", "[1]", "x"] {
        assert!(row(params).is_err(), "{params}");
    }
}

#[test]
fn tv_28_names_are_exact() {
    let experiment = load(&valid_project());
    assert!(experiment.profile("vanilla-rag").is_some());
    for alias in ["openai/vanilla-rag", "openai/openai/vanilla-rag", "vanilla-rag ", "Vanilla-RAG", "nope", ""] {
        assert!(experiment.profile(alias).is_none(), "{alias:?}");
    }
}

#[test]
fn tv_30_any_fault_is_found_when_the_file_is_read() {
    // Decision 3: the reference answers 400 or 500 to requests instead.
    for text in [
        "flavors:\n  - {alias: x, base: nope}\n",
        "flavors:\n  - {alias: x, base: vanilla-rag, params: {k: 0}}\n",
        "flavors: [\n",
    ] {
        assert!(added(text).is_err(), "{text}");
    }
}

#[test]
fn tv_31_aliases_are_trimmed_text_and_everything_else_is_strict() {
    assert_eq!(added("flavors:\n  - {alias: '  q-x ', base: vanilla-rag}\n").unwrap()[0].alias, "q-x");
    assert_eq!(added("flavors:\n  - {alias: 12, base: vanilla-rag}\n").unwrap()[0].alias, "12");
    // Decision 4: the reference takes the quoted word for true and 0 for no list.
    for text in
        ["flavors:\n  - {alias: x, base: vanilla-rag, requires_reingest: \"false\"}\n", "flavors: 0\n", "flavors: 42\n"]
    {
        assert!(added(text).is_err(), "{text}");
    }
}
