//! `builtin/extractive-answerer`: quotes the sentences of the contexts that best answer a question.
//!
//! It only quotes, so a context that gives orders can at worst be quoted, never obeyed. It has no knowledge and no
//! grammar: it weighs shared words, names, numbers and the kind of thing asked for. Pure; equal input gives equal answers.

mod candidate;
mod question;

use crate::gateway::roles::Context;
use candidate::Candidate;
use question::Question;

/// What the answerer says when the contexts hold no answer.
pub const NO_ANSWER: &str = "The given contexts do not answer this question.";

/// The most sentences one answer quotes.
const MOST_SENTENCES: usize = 3;
/// The least score of the best sentence for a short question: roughly the share of the question that the sentence and
/// its place account for.
const LEAST_SCORE: f64 = 0.5;
/// How much less a longer question demands per word, for no sentence repeats all of it ...
const LESS_PER_WORD: f64 = 0.03;
/// ... beyond this many words ...
const SHORT_WORDS: usize = 4;
/// ... down to this.
const LEAST_SCORE_EVER: f64 = 0.26;
/// A further sentence must reach this part of the best one's score.
const NEAR_BEST: f64 = 0.6;
/// ... and either add this share of the question that is not covered yet ...
const LEAST_NEWS: f64 = 0.1;
/// ... or be nearly as good as the best.
const AS_GOOD: f64 = 0.85;
/// Two sentences that share more of their words than this say the same thing.
const SAME_WORDS: f64 = 0.6;

/// Answers from the given contexts, or says [`NO_ANSWER`].
///
/// Quotes at most three sentences, ordered by the rank of their context and their place in it, joined by blanks. No
/// context, no question, or nothing good enough gives [`NO_ANSWER`].
pub fn answer(question: &str, contexts: &[Context]) -> String {
    let mut candidates = candidate::candidates(contexts);
    let question = Question::new(question, &candidates);
    if !question.is_answerable_from(&candidates) {
        return NO_ANSWER.to_owned();
    }
    for candidate in &mut candidates {
        candidate.judge(&question);
    }
    let chosen = choose(&candidates, &question);
    if chosen.is_empty() {
        return NO_ANSWER.to_owned();
    }
    chosen.iter().map(|candidate| closed(&candidate.text)).collect::<Vec<_>>().join(" ")
}

/// Picks the best candidate, then others that add something; none when the best is not good enough.
fn choose<'a>(candidates: &'a [Candidate], question: &Question) -> Vec<&'a Candidate> {
    let mut ranked: Vec<&Candidate> = candidates.iter().filter(|candidate| candidate.score > 0.0).collect();
    ranked.sort_by(|left, right| right.score.total_cmp(&left.score).then(left.place.cmp(&right.place)));
    let least = least_score(question.length());
    let best = ranked.iter().copied().find(|candidate| candidate.score >= least && candidate.may_lead(question));
    let Some(best) = best else { return Vec::new() };
    let mut chosen = vec![best];
    if question.has_code() {
        // An entry of a list of codes goes on in the next sentence, which rarely repeats the code.
        chosen.extend(candidates.iter().find(|candidate| candidate.follows(best)));
    }
    for candidate in ranked {
        if chosen.len() == MOST_SENTENCES || candidate.score < NEAR_BEST * best.score {
            break;
        }
        let repeats = chosen.iter().any(|other| other.overlap(candidate) > SAME_WORDS);
        let adds = question.news(candidate, &chosen) >= LEAST_NEWS || candidate.score >= AS_GOOD * best.score;
        if !repeats && adds && question.keeps_to_the_point(candidate) {
            chosen.push(candidate);
        }
    }
    chosen.sort_by_key(|candidate| candidate.place);
    chosen
}

fn least_score(question_words: usize) -> f64 {
    let longer = question_words.saturating_sub(SHORT_WORDS) as f64;
    (LEAST_SCORE - LESS_PER_WORD * longer).max(LEAST_SCORE_EVER)
}

/// A sentence with an end, so that quotes from lists do not run into each other.
fn closed(text: &str) -> String {
    let ends = text.trim_end_matches(['"', '\'', ')', ']', '*', '`', '\u{201d}']);
    if ends.ends_with(['.', '!', '?', ':', ';', '\u{3002}']) { text.to_owned() } else { format!("{text}.") }
}
