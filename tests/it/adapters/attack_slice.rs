//! The committed corpus `cyber_threat_intel` and its questions.

use super::{project, texts};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::LazyLock;

const CORPUS: &str = "corpus/cyber_threat_intel";

/// Finds `(G0016)`-like identifiers and bare campaign names in a text.
fn identifiers(text: &str) -> BTreeSet<String> {
    static PATTERN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b(?:[GCMS]\d{4}|TA?\d{4}(?:\.\d{3})?)\b").unwrap());
    PATTERN.find_iter(text).map(|found| found.as_str().to_owned()).collect()
}

/// The identifier a dossier is about: the last one of its heading.
fn subject(text: &str) -> String {
    identifiers(text.lines().next().unwrap()).pop_last().unwrap()
}

#[test]
fn the_committed_slice_has_over_sixty_dossiers_of_readable_length() {
    let dossiers = texts(&project(CORPUS));
    assert!(dossiers.len() >= 60, "{}", dossiers.len());
    for (name, text) in &dossiers {
        let words_n = text.split_whitespace().count();
        assert!((150..=700).contains(&words_n), "{name} has {words_n} words");
        assert!(text.contains("MITRE ATT&CK v18.1, © The MITRE Corporation"), "{name} lacks the attribution");
        assert!(!text.contains("(Citation:") && !text.contains("\n\n\n"), "{name}");
    }
    for letter in ["c", "g", "m", "s", "t"] {
        assert!(dossiers.keys().filter(|name| name.starts_with(letter)).count() >= 8, "{letter}");
    }
}

#[test]
fn every_link_of_a_dossier_leads_to_another_one_that_links_back() {
    let dossiers = texts(&project(CORPUS));
    let link = Regex::new(r"\]\(([^)]+\.md)\)").unwrap();
    let mut links_n = 0;
    for (name, text) in &dossiers {
        for found in link.captures_iter(text) {
            let other = dossiers.get(&found[1]).unwrap_or_else(|| panic!("{name} links to {}", &found[1]));
            assert!(other.contains(&format!("]({name})")), "{} does not link back to {name}", &found[1]);
            links_n += 1;
        }
    }
    assert!(links_n > 500, "{links_n}");
}

#[test]
fn a_statement_about_two_dossiers_stands_in_both() {
    let dossiers = texts(&project(CORPUS));
    let by_subject: BTreeMap<String, &String> = dossiers.values().map(|text| (subject(text), text)).collect();
    let mut shared_n = 0;
    for (name, text) in &dossiers {
        for line in text.lines().filter(|line| line.starts_with("- ")) {
            let ends = identifiers(line);
            assert!(ends.contains(&subject(text)), "{name}: {line}");
            for other in ends.iter().filter_map(|end| by_subject.get(end)) {
                assert!(other.lines().any(|theirs| theirs == line), "{name}: {line}");
                shared_n += 1;
            }
        }
    }
    assert!(shared_n > 500, "{shared_n}");
}

/// One question as its file spells it; the file keeps every value on its line.
fn questions() -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(project("demo/cyber_threat_intel_queries.yaml")).unwrap();
    let mut questions: Vec<BTreeMap<String, String>> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let (start, rest) = line.split_at(2);
        if start == "- " {
            questions.push(BTreeMap::new());
        }
        let (key, value) = rest.split_once(": ").unwrap_or_else(|| panic!("{line}"));
        questions.last_mut().unwrap().insert(key.to_owned(), value.to_owned());
    }
    questions
}

#[test]
fn reference_answers_name_only_what_their_sources_hold() {
    let dossiers = texts(&project(CORPUS));
    let link = Regex::new(r#""([^"]+)""#).unwrap();
    let questions = questions();
    assert!(questions.len() >= 28, "{}", questions.len());
    for question in &questions {
        let id = &question["id"];
        let sources: Vec<&str> =
            link.captures_iter(&question["relevant_sources"]).map(|c| c.extract::<1>().1[0]).collect();
        assert_eq!(sources.is_empty(), question["kind"] == "unanswerable", "{id}");
        let held: String = sources
            .iter()
            .map(|source| dossiers.get(*source).unwrap_or_else(|| panic!("{id}: {source}")).as_str())
            .collect();
        let held = identifiers(&held);
        for named in identifiers(&question["ground_truth"]) {
            assert!(sources.is_empty() || held.contains(&named), "{id}: no source holds {named}");
        }
        assert!(!question["query"].is_empty() && question["rationale"].len() > 40, "{id}");
    }
}

#[test]
fn every_kind_of_question_comes_several_times() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let questions = questions();
    for question in &questions {
        *kinds.entry(question["kind"].clone()).or_default() += 1;
    }
    let expected = ["chain", "comparison", "factoid", "keyword", "relation", "shared_actor", "unanswerable"];
    assert!(kinds.keys().eq(&expected), "{kinds:?}");
    assert!(kinds.values().all(|count| *count >= 3), "{kinds:?}");
    let ids: BTreeSet<&String> = questions.iter().map(|question| &question["id"]).collect();
    assert_eq!(ids.len(), questions.len(), "an id is repeated");
}
