//! Names in a sentence: runs of capitalised words and codes, and the words between them.
//!
//! English capitals only: a script without capitals has no names here, and a common word that begins a sentence before a
//! name can be taken for a part of it. Pure; reads and writes nothing.

mod token;

use super::words::is_stop_word;
use std::collections::BTreeSet;
use token::{Token, tokens};

/// A name where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// The words of the name, joined by blanks.
    pub text: String,
    /// One word for what it is: `code`, `acronym`, `organisation` or `name`.
    pub kind: &'static str,
    /// What follows in brackets, when it is one code or acronym.
    pub alias: Option<String>,
}

/// The names of a sentence with the words between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// In order.
    pub names: Vec<Name>,
    /// The words between a name and the next one, lower-cased; one list fewer than names.
    pub between: Vec<Vec<String>>,
    /// Whether the sentence holds nothing else, as a list of links does.
    pub is_bare_list: bool,
}

/// Words that can be trusted to be names, or not to be, wherever they stand.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    capitalised: BTreeSet<String>,
    lower_case: BTreeSet<String>,
    /// Whether a capital at the start of a sentence is proof enough.
    trust_starts: bool,
}

/// Words before which `of` belongs to the name, as in `Bank of England`.
const HEADS_OF: &[&str] = &[
    "association",
    "bank",
    "board",
    "bureau",
    "city",
    "college",
    "commission",
    "committee",
    "council",
    "court",
    "department",
    "district",
    "duchy",
    "federation",
    "house",
    "institute",
    "kingdom",
    "ministry",
    "office",
    "republic",
    "school",
    "secretary",
    "state",
    "states",
    "university",
];
/// Words that make a name an organisation when it ends with them, or when `of` follows them.
const ORGANISATIONS: &[&str] = &[
    "agency",
    "airlines",
    "association",
    "authority",
    "bank",
    "bureau",
    "capital",
    "college",
    "commission",
    "committee",
    "company",
    "corp",
    "corporation",
    "council",
    "court",
    "department",
    "exchange",
    "federation",
    "foundation",
    "fund",
    "group",
    "holdings",
    "inc",
    "institute",
    "labs",
    "laboratory",
    "limited",
    "ltd",
    "ministry",
    "office",
    "parliament",
    "partners",
    "systems",
    "technologies",
    "university",
    "ventures",
];
/// Titles that are no part of a name.
const TITLES: &[&str] =
    &["dr", "judge", "justice", "lord", "mr", "mrs", "ms", "prof", "professor", "sen", "senator", "sir"];
/// Capitalised words that name times, not things.
const TIMES: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
/// A name has at most so many words.
const LONGEST_NAME_WORDS: usize = 8;

impl Known {
    /// Learns from all sentences of a text which words are names inside sentences.
    pub(super) fn learn<'a>(sentences: impl Iterator<Item = &'a str>) -> Self {
        let mut known = Self::default();
        for sentence in sentences {
            for token in tokens(sentence).iter().skip(1) {
                let set = if token.is_capitalised() { &mut known.capitalised } else { &mut known.lower_case };
                set.insert(token.lower());
            }
        }
        known
    }

    /// Takes every capital for a name, as fits a question.
    pub(super) fn trusting() -> Self {
        Self { trust_starts: true, ..Self::default() }
    }

    fn accepts_start(&self, token: &Token<'_>, next: Option<&Token<'_>>) -> bool {
        let lower = token.lower();
        if token.is_code() || token.is_acronym() || token.has_inner_capital() || self.trust_starts {
            return true;
        }
        let before_name = !token.ends_phrase && next.is_some_and(|next| next.is_name() && !next.begins_phrase);
        self.capitalised.contains(&lower) || before_name && !self.lower_case.contains(&lower)
    }
}

/// Finds the names of a sentence.
pub(super) fn names(sentence: &str, known: &Known) -> Names {
    let tokens = tokens(sentence);
    let mut found = Names { is_bare_list: true, ..Names::default() };
    let mut between: Vec<String> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(end) = run_end(&tokens, at, known) else {
            found.is_bare_list = false;
            between.push(tokens[at].lower());
            at += 1;
            continue;
        };
        if !found.names.is_empty() {
            found.between.push(std::mem::take(&mut between));
        }
        between.clear();
        let (alias, after) = bracketed(&tokens, end);
        found.names.push(name(&tokens[at..end], alias));
        at = after;
    }
    found
}

/// Where the name that begins at `start` ends; none when none begins there.
fn run_end(tokens: &[Token<'_>], start: usize, known: &Known) -> Option<usize> {
    let first = &tokens[start];
    let lower = first.lower();
    let blocked = is_stop_word(&lower) && !first.is_acronym() || TIMES.contains(&lower.as_str());
    if !first.is_name() || blocked || TITLES.contains(&lower.as_str()) {
        return None;
    }
    if start == 0 && !known.accepts_start(first, tokens.get(1)) {
        return None;
    }
    let mut end = start + 1;
    while end - start < LONGEST_NAME_WORDS && !tokens[end - 1].ends_phrase {
        let Some(length) = continuation(tokens, end) else { break };
        end += length;
    }
    Some(end)
}

/// How many tokens from `at` on still belong to the name before it.
fn continuation(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let goes_on =
        |token: &Token<'_>| token.is_name() && !token.begins_phrase && !TIMES.contains(&token.lower().as_str());
    let token = tokens.get(at).filter(|token| !token.begins_phrase)?;
    if goes_on(token) {
        return Some(1);
    }
    let head = tokens[at - 1].lower();
    let joins = match token.text {
        "of" => HEADS_OF.contains(&head.as_str()),
        "v" | "vs" | "&" | "/" | "de" | "van" | "von" | "der" => true,
        _ => false,
    };
    let article = usize::from(tokens.get(at + 1).is_some_and(|next| next.text == "the" && !next.begins_phrase));
    let next = at + 1 + article;
    let may_join = joins && !(token.ends_phrase && token.text == "of");
    (may_join && tokens.get(next).is_some_and(goes_on)).then_some(2 + article)
}

/// Reads `(G0007)` or `(FTC)` behind a name: the alias, and where the rest begins.
fn bracketed(tokens: &[Token<'_>], end: usize) -> (Option<String>, usize) {
    match tokens.get(end) {
        Some(token) if token.in_brackets && (token.is_code() || token.is_acronym()) => {
            (Some(token.text.to_owned()), end + 1)
        }
        _ => (None, end),
    }
}

fn name(tokens: &[Token<'_>], alias: Option<String>) -> Name {
    let text = tokens.iter().map(|token| token.text).collect::<Vec<_>>().join(" ");
    let last = tokens[tokens.len() - 1].lower();
    let of = tokens.iter().position(|token| token.text == "of");
    let head = of.map_or(last, |of| tokens[of - 1].lower());
    let kind = if ORGANISATIONS.contains(&head.as_str()) && tokens.len() > 1 {
        "organisation"
    } else if tokens.len() == 1 && tokens[0].is_code() {
        "code"
    } else if tokens.len() == 1 && tokens[0].is_acronym() {
        "acronym"
    } else {
        "name"
    };
    Name { text, kind, alias }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(sentence: &str) -> Vec<String> {
        names(sentence, &Known::default()).names.into_iter().map(|name| name.text).collect()
    }

    #[test]
    fn names_are_runs_of_capitals_and_codes() {
        assert_eq!(
            texts("On 17 November 2023 the board of OpenAI removed Sam Altman as chief executive."),
            ["OpenAI", "Sam Altman"]
        );
        assert_eq!(
            texts("Directors asked Dario Amodei of Anthropic, and the Bank of England."),
            ["Dario Amodei", "Anthropic", "Bank of England"]
        );
        assert_eq!(texts("The judge in Epic v. Apple wrote to Judge Amit Mehta."), ["Epic v Apple", "Amit Mehta"]);
        assert_eq!(texts("`E-4417` means dry running of xAI's CVE-2023-34362."), ["E-4417", "xAI", "CVE-2023-34362"]);
        assert_eq!(
            texts("It uses Registry Run Keys / Startup Folder and [Net](s0039.md) on https://A.example/B."),
            ["Registry Run Keys / Startup Folder", "Net"]
        );
    }

    #[test]
    fn a_code_in_brackets_is_another_name() {
        let found = names("APT28 (G0007) uses the software Net (S0039).", &Known::default());
        let pairs: Vec<(&str, Option<&str>)> =
            found.names.iter().map(|name| (name.text.as_str(), name.alias.as_deref())).collect();
        assert_eq!(pairs, [("APT28", Some("G0007")), ("Net", Some("S0039"))]);
        assert_eq!(found.between, [["uses", "the", "software"]]);
        let kinds: Vec<&str> = names("The Federal Trade Commission (FTC) met ACME at Lot E-9.", &Known::default())
            .names
            .iter()
            .map(|name| name.kind)
            .collect();
        assert_eq!(kinds, ["organisation", "acronym", "name"]);
    }

    #[test]
    fn the_first_word_of_a_sentence_needs_proof() {
        let known = Known::learn(["Press reports named Figma.", "Harbor saw that press, and Figma."].into_iter());
        assert!(names("Press Figma hard.", &known).names.iter().all(|name| name.text == "Figma"));
        assert_eq!(names("Figma fell.", &known).names.len(), 1);
        assert!(names("Harbor fell.", &known).names.is_empty());
        assert_eq!(names("Harbor fell.", &Known::trusting()).names.len(), 1);
        assert!(names("", &known).names.is_empty());
        assert!(names("(((  ''' --- ]] ", &known).names.is_empty());
    }
}
