//! One bounded description out of many, without a model.
//!
//! Pure and deterministic: the same descriptions in the same order give the same text.

use std::collections::HashSet;

/// A merged description has at most so many characters.
pub const LONGEST_SUMMARY_CHARS: usize = 600;
/// Of the distinct descriptions so many are looked at, the first ones.
const MOST_DESCRIPTIONS: usize = 64;

/// Chooses descriptions that say something new, until the summary is full; they keep their order, one a line.
///
/// In turn the description with the most words that were not said yet is taken, the earlier one when equal; one that does
/// not fit is passed over. A single description that is too long is cut at a blank. Blank ones count for nothing, and
/// none at all gives the empty text.
pub fn summarise<'a>(descriptions: impl IntoIterator<Item = &'a str>) -> String {
    let mut seen = HashSet::new();
    let distinct: Vec<&str> = descriptions
        .into_iter()
        .map(str::trim)
        .filter(|text| !text.is_empty() && seen.insert(*text))
        .take(MOST_DESCRIPTIONS)
        .collect();
    let words: Vec<HashSet<String>> = distinct.iter().map(|text| words(text)).collect();
    let mut said: HashSet<&String> = HashSet::new();
    let mut chosen: Vec<usize> = Vec::new();
    let mut free = LONGEST_SUMMARY_CHARS;
    loop {
        let fits = |index: &usize| {
            !chosen.contains(index) && distinct[*index].chars().count() + usize::from(!chosen.is_empty()) <= free
        };
        let news = |index: usize| words[index].iter().filter(|word| !said.contains(word)).count();
        let best = (0..distinct.len())
            .filter(fits)
            .map(|index| (news(index), index))
            .max_by_key(|(news, index)| (*news, std::cmp::Reverse(*index)));
        let Some((news, index)) = best else { break };
        if news == 0 {
            break;
        }
        free -= distinct[index].chars().count() + usize::from(!chosen.is_empty());
        said.extend(&words[index]);
        chosen.push(index);
    }
    if chosen.is_empty() {
        return distinct.first().map(|text| cut(text)).unwrap_or_default();
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|index| distinct[index]).collect::<Vec<_>>().join("\n")
}

fn words(text: &str) -> HashSet<String> {
    let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SUMMARY_CHARS - 3) {
        Some((end, _)) if text.chars().count() > LONGEST_SUMMARY_CHARS => {
            let cut = text[..end].rfind(char::is_whitespace).unwrap_or(end);
            format!("{}...", text[..cut].trim_end())
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_is_kept_in_order() {
        let distinct = ["Reed led Arvo.", "Reed, later, sold the ferry Lark.", " Reed led Arvo. ", ""];
        assert_eq!(summarise(distinct), "Reed led Arvo.\nReed, later, sold the ferry Lark.");
        assert_eq!(summarise(["Reed led Arvo.", "Arvo was led by Reed."]), "Arvo was led by Reed.", "the fuller one");
        assert_eq!(summarise(["Reed led Arvo.", "Arvo, Reed: led!"]), "Reed led Arvo.", "nothing new");
        assert_eq!(summarise([]), "");
        assert_eq!(summarise(["...", " "]), "...");
    }

    #[test]
    fn a_summary_is_never_too_long() {
        let many: Vec<String> = (0..500).map(|number| format!("Fact {number} about thing {number}.")).collect();
        let summary = summarise(many.iter().map(String::as_str));
        assert!(summary.chars().count() <= LONGEST_SUMMARY_CHARS && summary.contains('\n'), "{summary}");
        assert!(summary.starts_with("Fact 0 about"), "equal news: the earlier one");
        let long = "wörd ".repeat(500);
        let summary = summarise([long.as_str()]);
        assert!(summary.ends_with("wörd...") && summary.chars().count() <= LONGEST_SUMMARY_CHARS);
        assert_eq!(summarise([long.as_str(), "Short."]), "Short.", "what does not fit is passed over");
        let solid = "x".repeat(1000);
        assert_eq!(summarise([solid.as_str()]).len(), LONGEST_SUMMARY_CHARS);
    }
}
