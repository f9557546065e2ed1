//! How much of a statement one context carries.

use crate::gateway::builtin::sentences::sentences;
use crate::gateway::builtin::words::{Kind, Word, stems, words};
use std::collections::BTreeSet;

/// The share of a statement's names that must be there.
const NAMES: f64 = 0.75;

/// Two sentences that share this part of all their words say the same thing or its opposite. Below it, a negation may
/// belong to another part of the sentence.
const ALIKE: f64 = 0.6;

/// Words that turn a sentence around.
const NEGATIONS: [&str; 9] = ["not", "no", "never", "none", "neither", "nor", "without", "cannot", "nobody"];

/// A context, ready to be compared with many statements.
pub(super) struct Evidence {
    stems: BTreeSet<String>,
    /// Stems and polarity of each sentence.
    sentences: Vec<(BTreeSet<String>, bool)>,
}

/// What a context has of a statement.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Support {
    /// The share of different content words found: 0 to 1.
    pub share: f64,
    /// Every number and code was found.
    exact: bool,
    /// Enough names were found.
    named: bool,
    /// No sentence that says nearly the same denies it, or affirms what the statement denies.
    same_polarity: bool,
    /// Some number, code or name was found, or the statement has none.
    anchored: bool,
}

/// Why a statement counts as supported or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    /// Enough words, and nothing against it.
    Supported,
    /// A number or code is nowhere in the context.
    NumberMissing,
    /// Too many names are not in the context.
    NameMissing,
    /// Too many words are not in the context.
    WordsMissing,
    /// One denies what the other says.
    NegationDiffers,
}

impl Finding {
    /// The code that details show.
    pub fn code(self) -> &'static str {
        match self {
            Finding::Supported => "supported",
            Finding::NumberMissing => "number_missing",
            Finding::NameMissing => "name_missing",
            Finding::WordsMissing => "words_missing",
            Finding::NegationDiffers => "negation_differs",
        }
    }
}

impl Evidence {
    /// Reads a context; headings count as part of it.
    pub fn new(text: &str) -> Self {
        let mut all = BTreeSet::new();
        let mut heading = None;
        let mut read = Vec::new();
        for sentence in sentences(text) {
            if heading.as_ref() != Some(&sentence.heading) {
                all.extend(stems(&words(&sentence.heading)));
                heading = Some(sentence.heading);
            }
            let words = words(&sentence.text);
            let own = stems(&words);
            all.extend(own.iter().cloned());
            read.push((own, is_negated(&words)));
        }
        Self { stems: all, sentences: read }
    }

    /// Compares a statement with this context.
    pub fn support(&self, statement: &str) -> Support {
        let words = words(statement);
        let different = |wanted: &dyn Fn(Kind) -> bool| -> BTreeSet<&String> {
            words.iter().filter(|word| wanted(word.kind)).map(|word| &word.stem).collect()
        };
        let content = different(&|kind| kind != Kind::Stop);
        let exact = different(&|kind| matches!(kind, Kind::Number | Kind::Identifier));
        let names = different(&|kind| kind == Kind::Name);
        let found = |wanted: &BTreeSet<&String>| wanted.iter().filter(|stem| self.stems.contains(**stem)).count();
        let share = |wanted: &BTreeSet<&String>| match wanted.len() {
            0 => 1.0,
            count => found(wanted) as f64 / count as f64,
        };
        // Reversed, because `max_by_key` keeps the last of equals and the earliest sentence should win.
        let nearest = self
            .sentences
            .iter()
            .rev()
            .max_by_key(|(stems, _)| content.iter().filter(|stem| stems.contains(**stem)).count());
        Support {
            share: if content.is_empty() { 0.0 } else { share(&content) },
            exact: found(&exact) == exact.len(),
            named: share(&names) >= NAMES,
            same_polarity: nearest
                .is_none_or(|(stems, negated)| alike(stems, &content) < ALIKE || *negated == is_negated(&words)),
            anchored: exact.len() + names.len() == 0 || found(&exact) + found(&names) > 0,
        }
    }
}

impl Support {
    /// Judges the statement with this least share of words.
    pub fn finding(&self, least_share: f64) -> Finding {
        if !self.exact {
            Finding::NumberMissing
        } else if !self.named {
            Finding::NameMissing
        } else if self.share < least_share {
            Finding::WordsMissing
        } else if !self.same_polarity {
            Finding::NegationDiffers
        } else {
            Finding::Supported
        }
    }

    /// True when the context carries this share of the statement and one of its names or numbers, if it has any.
    pub fn is_useful(&self, least_share: f64) -> bool {
        self.share >= least_share && self.anchored
    }

    /// Orders contexts: fewer objections first, then the share in millionths.
    pub fn rank(&self) -> (bool, bool, bool, u32) {
        (self.exact, self.named, self.same_polarity, (self.share * 1e6) as u32)
    }
}

/// The shared part of all words of two sentences (Jaccard): 0 to 1.
fn alike(sentence: &BTreeSet<String>, statement: &BTreeSet<&String>) -> f64 {
    let shared = statement.iter().filter(|stem| sentence.contains(**stem)).count();
    let all = sentence.len() + statement.len() - shared;
    if all == 0 { 1.0 } else { shared as f64 / all as f64 }
}

/// True for an odd number of negations.
fn is_negated(words: &[Word<'_>]) -> bool {
    let negations = words.iter().filter(|word| {
        let lower = word.text.to_lowercase().replace('\u{2019}', "'");
        lower.ends_with("n't") || NEGATIONS.contains(&lower.as_str())
    });
    negations.count() % 2 == 1
}
