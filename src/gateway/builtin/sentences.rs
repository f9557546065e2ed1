//! Sentences of a text, as people would quote them.
//!
//! Knows abbreviations, initials, Markdown headings, bullets, quotes and table rows. Pure.

/// One sentence with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// The sentence without the mark-up of its line; inner line breaks became blanks.
    pub text: String,
    /// The headings above it, outermost first, joined by blanks; empty when there is none.
    pub heading: String,
}

/// Abbreviations after which no sentence ends.
const NEVER_LAST: &[&str] = &[
    "adm", "al", "approx", "art", "capt", "cf", "col", "dept", "dr", "e.g", "eq", "est", "fig", "gen", "gov", "hon",
    "i.e", "lt", "messrs", "mr", "mrs", "ms", "mt", "nos", "pp", "prof", "rep", "rev", "sec", "sen", "sgt", "st", "v",
    "viz", "vol", "vs",
];

/// Abbreviations that may end a sentence: they do when a function word with a capital follows.
const SOMETIMES_LAST: &[&str] = &[
    "a.m", "apr", "assn", "aug", "bros", "co", "corp", "dec", "etc", "feb", "inc", "jan", "jr", "ltd", "mar", "no",
    "nov", "oct", "p.m", "ph.d", "sept", "sr", "u.k", "u.n", "u.s",
];

/// Splits a text into its sentences, in order.
///
/// Headings are no sentences: they travel with the sentences below them. A text of headings alone gives none.
pub(super) fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut headings: Vec<(usize, String)> = Vec::new();
    let mut paragraph = String::new();
    for line in text.lines() {
        let (fresh, content) = block_start(line);
        if let Some((level, title)) = heading(content) {
            flush(&mut paragraph, &headings, &mut found);
            headings.retain(|(other, _)| *other < level);
            headings.push((level, title));
            continue;
        }
        if fresh || content.is_empty() {
            flush(&mut paragraph, &headings, &mut found);
        }
        if !content.is_empty() && !is_rule(content) {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(content);
        }
    }
    flush(&mut paragraph, &headings, &mut found);
    found
}

/// Takes bullets, numbers, quote marks and table bars off a line; says whether it begins a block of its own.
fn block_start(line: &str) -> (bool, &str) {
    let mut content = line.trim();
    let mut fresh = false;
    while let Some(inner) = content.strip_prefix('>') {
        content = inner.trim_start();
    }
    for bullet in ["- ", "* ", "+ ", "\u{2022} "] {
        if let Some(inner) = content.strip_prefix(bullet) {
            content = inner.trim_start();
            fresh = true;
        }
    }
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&digits)
        && let Some(inner) = content[digits..].strip_prefix(". ").or_else(|| content[digits..].strip_prefix(") "))
    {
        content = inner.trim_start();
        fresh = true;
    }
    if content.len() > 1 && content.starts_with('|') && content.ends_with('|') {
        content = content.trim_matches(['|', ' ']);
        fresh = true;
    }
    (fresh, content)
}

fn heading(content: &str) -> Option<(usize, String)> {
    let level = content.bytes().take_while(|byte| *byte == b'#').count();
    let title = content[level..].strip_prefix(' ')?;
    (1..=6).contains(&level).then(|| (level, title.trim().trim_end_matches('#').trim().to_owned()))
}

/// A line of dashes, bars and the like, or a code fence.
fn is_rule(content: &str) -> bool {
    content.starts_with("```") || content.chars().all(|character| "-=*_|:~ ".contains(character))
}

fn flush(paragraph: &mut String, headings: &[(usize, String)], found: &mut Vec<Sentence>) {
    let heading = headings.iter().map(|(_, title)| title.as_str()).collect::<Vec<_>>().join(" ");
    let mut start = 0;
    for end in ends(paragraph) {
        let text = paragraph[start..end].trim();
        if text.contains(char::is_alphanumeric) {
            found.push(Sentence { text: text.to_owned(), heading: heading.clone() });
        }
        start = end;
    }
    paragraph.clear();
}

/// The byte positions where sentences end; the last one is the end of the text.
fn ends(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        if matches!(character, '\u{3002}' | '\u{ff01}' | '\u{ff1f}') {
            found.push(end);
        } else if character.is_whitespace() && closes(text, at, previous) {
            found.push(at);
        }
        previous = character;
    }
    if found.last() != Some(&text.len()) {
        found.push(text.len());
    }
    found
}

/// True when the text before the blank at `at` ends a sentence and what follows can begin one.
fn closes(text: &str, at: usize, previous: char) -> bool {
    if previous.is_whitespace() {
        return false;
    }
    let before = text[..at].trim_end_matches(['"', '\'', ')', ']', '*', '_', '`', '\u{201d}', '\u{2019}']);
    let next = text[at..].trim_start().trim_start_matches(['"', '\'', '(', '[', '*', '_', '`', '\u{201c}', '\u{2018}']);
    // `xAI` and `iRobot` may begin a sentence as well.
    let first = next.split(char::is_whitespace).next().unwrap_or_default();
    let begins = next.starts_with(|character: char| character.is_uppercase() || character.is_numeric())
        || first.chars().skip(1).any(char::is_uppercase);
    if !begins || !before.ends_with(['.', '!', '?']) {
        return false;
    }
    if !before.ends_with('.') {
        return true;
    }
    let last =
        before.trim_end_matches('.').rsplit(|character: char| character.is_whitespace() || "([\"".contains(character));
    let last = last.into_iter().next().unwrap_or_default();
    let lower = last.to_lowercase();
    let initial = last.chars().count() == 1 && last.starts_with(char::is_uppercase);
    if initial || NEVER_LAST.contains(&lower.as_str()) {
        return false;
    }
    let follower: String = next.chars().take_while(|character| character.is_alphabetic()).collect();
    !SOMETIMES_LAST.contains(&lower.as_str()) || super::words::is_stop_word(&follower.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        sentences(text).into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn abbreviations_and_initials_end_no_sentence() {
        assert_eq!(
            texts(
                "Dr. J. Reed sued Arvo Inc. in Kiel. Arvo Inc. The court met at 9 a.m. on Friday! Really? \"Yes.\" It did."
            ),
            [
                "Dr. J. Reed sued Arvo Inc. in Kiel.",
                "Arvo Inc.",
                "The court met at 9 a.m. on Friday!",
                "Really?",
                "\"Yes.\"",
                "It did."
            ]
        );
        assert_eq!(
            texts("In Lark v. Heron it held 4.5 percent. 12 ships left."),
            ["In Lark v. Heron it held 4.5 percent.", "12 ships left."]
        );
    }

    #[test]
    fn markdown_becomes_sentences_with_their_headings() {
        let found = sentences(
            "# Pool\n\nSix lanes,\nall long.\n\n## Hours\n- Opens at 9\n- Closes at 8\n\n| day | note |\n|---|---|\n| Mon | shut |\n\n# Bar\n> Tea. Cake.\n",
        );
        let pairs: Vec<(&str, &str)> =
            found.iter().map(|sentence| (sentence.heading.as_str(), sentence.text.as_str())).collect();
        assert_eq!(
            pairs,
            [
                ("Pool", "Six lanes, all long."),
                ("Pool Hours", "Opens at 9"),
                ("Pool Hours", "Closes at 8"),
                ("Pool Hours", "day | note"),
                ("Pool Hours", "Mon | shut"),
                ("Bar", "Tea."),
                ("Bar", "Cake."),
            ]
        );
    }

    #[test]
    fn odd_input_is_no_problem() {
        assert!(sentences("").is_empty());
        assert!(sentences("# Only a heading\n\n---\n").is_empty());
        assert_eq!(
            texts("\u{65e9}\u{5b89}\u{3002}\u{518d}\u{89c1}\u{3002}"),
            ["\u{65e9}\u{5b89}\u{3002}", "\u{518d}\u{89c1}\u{3002}"]
        );
        assert_eq!(texts("no end"), ["no end"]);
        assert_eq!(texts("It left. iBoat followed. then nothing."), ["It left.", "iBoat followed. then nothing."]);
        assert_eq!(texts("wait... Then go."), ["wait...", "Then go."]);
    }
}
