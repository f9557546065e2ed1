//! The sentences an answer may quote, each with what it says and where it stands.

use super::question::{Expected, Question};
use crate::gateway::builtin::sentences::sentences;
use crate::gateway::builtin::words::{Kind, Word, pairs, stems, words};
use crate::gateway::roles::Context;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Months, for recognising dates.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Words that mark an amount.
const AMOUNTS: [&str; 12] =
    ["billion", "million", "thousand", "dollar", "euro", "pound", "yen", "percent", "per", "cent", "franc", "currency"];

/// Words that mark a reason.
const REASONS: [&str; 12] =
    ["because", "since", "due", "reason", "caus", "therefor", "after", "as", "said", "say", "order", "owing"];

/// One sentence of one context.
#[derive(Debug)]
pub(super) struct Candidate {
    /// As it will be quoted.
    pub text: String,
    /// Rank of the context, then position in it.
    pub place: (usize, usize),
    /// The stems of its content words.
    pub stems: Rc<BTreeSet<String>>,
    /// Neighbouring pairs of content stems.
    pairs: BTreeSet<(String, String)>,
    /// The stems of title and headings.
    topic: Rc<BTreeSet<String>>,
    /// The stems of the sentence before it in the same context.
    before: Rc<BTreeSet<String>>,
    /// The stems of the whole context.
    context: Rc<BTreeSet<String>>,
    /// What kinds of thing it mentions.
    offers: Offers,
    /// How well it answers; set by [`Candidate::judge`].
    pub score: f64,
}

/// What a sentence has to offer to a question of a given kind.
#[derive(Debug, Default)]
struct Offers {
    date: bool,
    amount: bool,
    percentage: bool,
    reason: bool,
    /// It says what can or may be, not what is.
    possibility: bool,
    numbers: BTreeSet<String>,
    names: BTreeSet<String>,
}

/// How much of a question word's weight counts, by where the word stands.
mod credit {
    /// In the sentence itself.
    pub const OWN: f64 = 1.0;
    /// In the sentence, in a related form.
    pub const RELATED: f64 = 0.7;
    /// In the title or a heading above.
    pub const TOPIC: f64 = 0.6;
    /// In the sentence before.
    pub const BEFORE: f64 = 0.45;
    /// Anywhere else in the same context.
    pub const CONTEXT: f64 = 0.25;
}

/// What the parts of a score weigh. The first three are shares of the question; own and covered words add up to 1.
mod weight {
    /// Words in the sentence itself.
    pub const OWN: f64 = 0.35;
    /// Words in the sentence and around it.
    pub const COVERED: f64 = 0.65;
    /// Neighbouring words that are neighbours here too.
    pub const PAIRS: f64 = 0.1;
    /// The kind of thing that is asked for.
    pub const FIT: f64 = 0.12;
    /// Standing in the first context; less further down.
    pub const RANK: f64 = 0.04;
    /// Standing first in its context; less further down.
    pub const POSITION: f64 = 0.02;
}

/// What a strict question takes off when all its names are far from the sentence.
const FAR_NAMES: f64 = 0.4;
/// The share of its ordinary words that a strict question wants in the leading sentence.
const ORDINARY_WORDS: f64 = 0.3;

/// Lists the sentences of all contexts, in order.
pub(super) fn candidates(contexts: &[Context]) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (rank, context) in contexts.iter().enumerate() {
        let title = stems(&words(&context.title.replace(['/', '-', '_', '.'], " ")));
        let first = found.len();
        let mut everything = title.clone();
        let mut heading = None;
        let mut topic = Rc::new(title.clone());
        let mut before = Rc::new(BTreeSet::new());
        for (position, sentence) in sentences(&context.text).into_iter().enumerate() {
            if heading.as_ref() != Some(&sentence.heading) {
                topic = Rc::new(stems(&words(&sentence.heading)).union(&title).cloned().collect());
                everything.extend(topic.iter().cloned());
                heading = Some(sentence.heading);
            }
            let words = words(&sentence.text);
            let own = Rc::new(stems(&words));
            everything.extend(own.iter().cloned());
            found.push(Candidate {
                place: (rank, position),
                pairs: pairs(&words),
                offers: Offers::new(&words, &sentence.text),
                stems: own.clone(),
                topic: topic.clone(),
                before: std::mem::replace(&mut before, own),
                context: Rc::default(),
                score: 0.0,
                text: sentence.text,
            });
        }
        let everything = Rc::new(everything);
        for candidate in &mut found[first..] {
            candidate.context = everything.clone();
        }
    }
    found
}

impl Candidate {
    /// Sets the score: covered share of the question, shared pairs, the kind of thing asked for, rank.
    pub fn judge(&mut self, question: &Question) {
        let own = question.share(|stem| self.own(stem));
        if own <= 0.0 {
            return;
        }
        let covered = question.share(|stem| self.covers(stem));
        let pairs = question.pair_share(&self.pairs);
        let (rank, position) = self.place;
        let order = weight::RANK / (rank + 1) as f64 + weight::POSITION / (position + 1) as f64;
        let shares = weight::OWN * own + weight::COVERED * covered + weight::PAIRS * pairs;
        self.score = shares + order + self.fit(question);
    }

    /// The share of a question word's weight that the sentence earns together with its surroundings.
    pub fn covers(&self, stem: &str) -> f64 {
        let own = self.own(stem);
        if own > 0.0 {
            own
        } else if self.topic.contains(stem) {
            credit::TOPIC
        } else if self.before.contains(stem) {
            credit::BEFORE
        } else if self.context.contains(stem) {
            credit::CONTEXT
        } else {
            0.0
        }
    }

    /// True when the word stands in the sentence, above it or right before it.
    pub fn is_near(&self, stem: &str) -> bool {
        self.covers(stem) >= credit::BEFORE
    }

    /// The share of a question word's weight that the sentence earns by itself.
    pub fn own(&self, stem: &str) -> f64 {
        if self.stems.contains(stem) {
            credit::OWN
        } else if self.stems.iter().any(|own| related(own, stem)) {
            credit::RELATED
        } else {
            0.0
        }
    }

    /// True when the word stands anywhere in the context of this sentence or in its title.
    pub fn context_has(&self, stem: &str) -> bool {
        self.context.contains(stem)
    }

    /// The share of words two sentences have in common, against the shorter one: 0 to 1.
    pub fn overlap(&self, other: &Candidate) -> f64 {
        let shorter = self.stems.len().min(other.stems.len());
        if shorter == 0 { 1.0 } else { self.stems.intersection(&other.stems).count() as f64 / shorter as f64 }
    }

    /// True when this sentence comes right after the other in the same context.
    pub fn follows(&self, other: &Candidate) -> bool {
        self.place == (other.place.0, other.place.1 + 1)
    }

    /// True when an answer may rest on this sentence.
    ///
    /// It must be about the rarest code of the question. A question for one certain fact wants more: the kind of fact
    /// itself, near the rarest name of the question and told with some of its ordinary words, so that a number is not
    /// taken from somebody else or from another event; and not as a mere possibility, unless that is the question.
    pub fn may_lead(&self, question: &Question) -> bool {
        if !question.keeps_to_the_point(self) {
            return false;
        }
        !question.is_strict()
            || (question.possibility || !self.offers.possibility)
                && question.expected.iter().any(|expected| self.offers(expected, question))
                && question.rarest_name().is_none_or(|name| self.is_near(name))
                && question.share_of_ordinary_words(|stem| self.own(stem)).is_none_or(|share| share >= ORDINARY_WORDS)
    }

    /// Adds for a sentence that has the kind of thing asked for. When one certain fact is asked for, takes off for names
    /// of the question that are far away.
    fn fit(&self, question: &Question) -> f64 {
        let offered = question.expected.iter().any(|expected| self.offers(expected, question));
        let bonus = if offered { weight::FIT } else { 0.0 };
        if !question.is_strict() {
            return bonus;
        }
        let far = question.share_of_names(|stem| if self.is_near(stem) { 0.0 } else { 1.0 });
        bonus - FAR_NAMES * far
    }

    fn offers(&self, expected: &Expected, question: &Question) -> bool {
        let new_number = || self.offers.numbers.iter().any(|number| !question.has(number));
        match expected {
            Expected::Date => self.offers.date && new_number(),
            Expected::Amount => self.offers.amount && new_number(),
            Expected::Percentage => self.offers.percentage && new_number(),
            Expected::Count(what) => new_number() && what.as_ref().is_none_or(|what| self.own(what) > 0.0),
            Expected::Name => self.offers.names.iter().any(|name| !question.has(name)),
            Expected::Reason => self.offers.reason,
            Expected::Thing(what) => self.own(what) > 0.0,
            Expected::Open => false,
        }
    }
}

impl Offers {
    fn new(words: &[Word<'_>], text: &str) -> Self {
        let lower = text.to_lowercase();
        let percentage = ["percent", "per cent", "%"].iter().any(|sign| lower.contains(sign));
        let mut offers = Self { percentage, possibility: possibility(words), ..Self::default() };
        for word in words {
            let lower = word.text.to_lowercase();
            offers.amount |= AMOUNTS.contains(&word.stem.as_str());
            offers.reason |= REASONS.contains(&word.stem.as_str()) || REASONS.contains(&lower.as_str());
            match word.kind {
                Kind::Number => {
                    offers.date |= year(&word.stem);
                    offers.numbers.insert(word.stem.clone());
                }
                Kind::Name => {
                    offers.date |= MONTHS.contains(&word.text);
                    offers.names.insert(word.stem.clone());
                }
                _ => {}
            }
        }
        offers
    }
}

/// True when a text says what can, may, might or could be.
pub(super) fn possibility(words: &[Word<'_>]) -> bool {
    words.iter().any(|word| matches!(word.text, "can" | "may" | "might" | "could"))
}

fn year(number: &str) -> bool {
    number.len() == 4 && (number.starts_with("19") || number.starts_with("20"))
}

/// Two forms of one word that the stemmer leaves apart: a long common beginning.
fn related(left: &str, right: &str) -> bool {
    let digits = |stem: &str| stem.contains(|character: char| character.is_ascii_digit());
    if digits(left) || digits(right) {
        return false;
    }
    let common = left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count();
    let longer = left.chars().count().max(right.chars().count());
    common >= 5 && common * 3 >= longer * 2
}
