//! What a question asks for, and how much each of its words matters among the given sentences.

use super::candidate::{Candidate, possibility};
use crate::gateway::builtin::words::{Kind, Word, pairs, words};
use std::collections::BTreeSet;

/// The kind of thing an answer should contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expected {
    /// When, since when, in which year.
    Date,
    /// How much, how high, at what price.
    Amount,
    /// What percentage or share.
    Percentage,
    /// How many of something; the something when it can be told.
    Count(Option<String>),
    /// Who, whose, where.
    Name,
    /// Why.
    Reason,
    /// Which thing.
    Thing(String),
    /// Anything: what something is, how something is done.
    Open,
}

/// Words of a question, as stems, that say what is asked rather than what it is about; separated by blanks.
const ASKING: &str = "\
    happen kind sort typ mean play role describ explain list nam tell giv trac compar differ thing way accord \
    relat connect follow us";

/// Weight of an asking word against an ordinary one.
const ASKING_WEIGHT: f64 = 0.3;

/// Weight of the thing that is asked for or counted against an ordinary word.
const HEAD_WEIGHT: f64 = 1.5;

/// A question, weighed against the sentences that may answer it.
#[derive(Debug)]
pub(super) struct Question {
    /// Content stems with their weights, each once, in order.
    terms: Vec<Term>,
    pairs: BTreeSet<(String, String)>,
    /// What an answer should contain; empty when nothing can be told.
    pub expected: Vec<Expected>,
    /// It asks what can or may be.
    pub possibility: bool,
}

#[derive(Debug)]
struct Term {
    stem: String,
    kind: Kind,
    weight: f64,
}

impl Question {
    /// Analyses a question; weights are inverse sentence frequencies among the candidates.
    pub fn new(text: &str, candidates: &[Candidate]) -> Self {
        let words = words(text);
        let mut terms: Vec<Term> = Vec::new();
        for word in words.iter().filter(|word| word.is_content()) {
            if terms.iter().all(|term| term.stem != word.stem) {
                let weight = weight(word, candidates);
                terms.push(Term { stem: word.stem.clone(), kind: word.kind, weight });
            }
        }
        let expected = expected(&words);
        for term in &mut terms {
            let asked = |kind: &Expected| matches!(kind, Expected::Thing(what) | Expected::Count(Some(what)) if *what == term.stem);
            if expected.iter().any(asked) {
                term.weight *= HEAD_WEIGHT;
            }
        }
        Self { terms, pairs: pairs(&words), expected, possibility: possibility(&words) }
    }

    /// True unless the question names a code that no context has: it cannot be explained from them.
    pub fn is_answerable_from(&self, candidates: &[Candidate]) -> bool {
        let known = |term: &Term| candidates.iter().any(|candidate| candidate.context_has(&term.stem));
        self.terms.iter().all(|term| term.kind != Kind::Identifier || known(term))
    }

    /// How many different content words the question has.
    pub fn length(&self) -> usize {
        self.terms.len()
    }

    /// True when the question asks for a date, an amount or a count, and for nothing else.
    pub fn is_strict(&self) -> bool {
        let strict = |kind: &Expected| {
            matches!(kind, Expected::Date | Expected::Amount | Expected::Percentage | Expected::Count(_))
        };
        !self.expected.is_empty() && self.expected.iter().all(strict)
    }

    /// True when the sentence is about the rarest code of the question, or the question has none.
    pub fn keeps_to_the_point(&self, candidate: &Candidate) -> bool {
        self.rarest(Kind::Identifier).is_none_or(|code| candidate.is_near(code))
    }

    /// True when the question names a code.
    pub fn has_code(&self) -> bool {
        self.rarest(Kind::Identifier).is_some()
    }

    /// The rarest name of the question; initials are too common to be one.
    pub fn rarest_name(&self) -> Option<&str> {
        self.rarest(Kind::Name)
    }

    fn rarest(&self, kind: Kind) -> Option<&str> {
        let terms = self.terms.iter().filter(|term| term.kind == kind && term.stem.chars().count() > 2);
        terms.max_by(|left, right| left.weight.total_cmp(&right.weight)).map(|term| term.stem.as_str())
    }

    /// The weighted share of the question's names that `credit` grants: 0 to 1, and 0 without names.
    pub fn share_of_names(&self, credit: impl Fn(&str) -> f64) -> f64 {
        share(self.terms.iter().filter(|term| term.kind == Kind::Name), credit).unwrap_or(0.0)
    }

    /// The weighted share of the words that are neither names nor numbers; none when there is no such word.
    pub fn share_of_ordinary_words(&self, credit: impl Fn(&str) -> f64) -> Option<f64> {
        share(self.terms.iter().filter(|term| term.kind == Kind::Plain), credit)
    }

    /// The weighted share of the question that `credit` grants: 0 to 1.
    pub fn share(&self, credit: impl Fn(&str) -> f64) -> f64 {
        share(self.terms.iter(), credit).unwrap_or(0.0)
    }

    /// The share of the question that a candidate has itself and none of the chosen ones has.
    pub fn news(&self, candidate: &Candidate, chosen: &[&Candidate]) -> f64 {
        self.share(|stem| if chosen.iter().any(|other| other.own(stem) > 0.0) { 0.0 } else { candidate.own(stem) })
    }

    /// The share of neighbouring word pairs that a sentence repeats: 0 to 1.
    pub fn pair_share(&self, pairs: &BTreeSet<(String, String)>) -> f64 {
        if self.pairs.is_empty() {
            return 0.0;
        }
        self.pairs.intersection(pairs).count() as f64 / self.pairs.len() as f64
    }

    /// True when the question itself has this word.
    pub fn has(&self, stem: &str) -> bool {
        self.terms.iter().any(|term| term.stem == stem)
    }
}

fn share<'a>(terms: impl Iterator<Item = &'a Term>, credit: impl Fn(&str) -> f64) -> Option<f64> {
    let (earned, total) = terms
        .fold((0.0, 0.0), |(earned, total), term| (earned + term.weight * credit(&term.stem), total + term.weight));
    (total > 0.0).then(|| earned / total)
}

/// Rare words weigh more (inverse sentence frequency), names and codes more still, asking words little.
fn weight(word: &Word<'_>, candidates: &[Candidate]) -> f64 {
    let having = candidates.iter().filter(|candidate| candidate.stems.contains(&word.stem)).count();
    let rarity = (1.0 + candidates.len() as f64 / (having + 1) as f64).ln();
    let factor = match word.kind {
        Kind::Identifier => 2.0,
        Kind::Name => 1.4,
        Kind::Number => 1.2,
        _ if ASKING.split(' ').any(|asking| asking == word.stem) => ASKING_WEIGHT,
        _ => 1.0,
    };
    rarity * factor
}

fn expected(words: &[Word<'_>]) -> Vec<Expected> {
    let mut found = Vec::new();
    let lower: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
    for (at, word) in lower.iter().enumerate() {
        let next = lower.get(at + 1).map_or("", String::as_str);
        let noun = words[at + 1..].iter().take(4).find(|word| word.is_content()).map(|word| word.stem.clone());
        match (word.as_str(), next) {
            ("when", _) if at < 3 || lower[at - 1] == "since" || lower[at - 1] == "and" => found.push(Expected::Date),
            ("which" | "what", "year" | "date" | "day" | "month") => found.push(Expected::Date),
            ("how", "much" | "high" | "large" | "expensive" | "big") => found.push(Expected::Amount),
            ("what" | "which", "percentage" | "share" | "proportion") => found.push(Expected::Percentage),
            ("what" | "which", "price" | "amount" | "sum") => found.push(Expected::Amount),
            ("how", "many") => found.push(Expected::Count(noun)),
            ("who" | "whom" | "whose", _) if at < 2 || lower[at - 1] == "and" => found.push(Expected::Name),
            ("where", _) if at < 2 => found.push(Expected::Name),
            ("why", _) => found.push(Expected::Reason),
            ("which", _) if at < 3 => found.extend(noun.map(Expected::Thing)),
            ("what" | "how", _) if at < 2 || lower[at - 1] == "and" => found.push(Expected::Open),
            _ => {}
        }
    }
    found
}
