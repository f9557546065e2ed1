//! One form for the inflections of an English word.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Forms that no suffix rule brings together, each with the form it counts as.
const IRREGULAR: &str = "
    began:begin begun:begin bought:buy brought:bring built:build chose:choose chosen:choose fallen:fall fell:fall
    found:find gave:give given:give gone:go grew:grow grown:grow held:hold kept:keep led:lead left:leave lost:lose
    made:make met:meet paid:pay rose:rise risen:rise said:say sent:send sold:sell sale:sell spent:spend taken:take
    told:tell took:take went:go won:win wrote:write written:write people:person
";

static IRREGULAR_FORMS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| IRREGULAR.split_whitespace().filter_map(|pair| pair.split_once(':')).collect());

/// Brings inflected forms together: plural, past, -ing, and a few derived nouns.
///
/// A short list of suffix rules in the spirit of Porter's first step (Porter 1980), for words of four letters or more; wrong now and then, but the same on both sides of every comparison.
pub(super) fn stem(lower: &str) -> String {
    if let Some(base) = IRREGULAR_FORMS.get(lower) {
        return stem(base);
    }
    if !lower.is_ascii() || lower.len() < 4 {
        return lower.to_owned();
    }
    let mut base = lower;
    let mut plural = String::new();
    if base.ends_with("ies") && base.len() > 4 {
        plural = format!("{}y", &base[..base.len() - 3]);
    } else if base.ends_with("sses") || base.ends_with("ches") || base.ends_with("shes") || base.ends_with("xes") {
        base = &base[..base.len() - 2];
    } else if base.ends_with('s') && !["ss", "us", "is"].iter().any(|end| base.ends_with(end)) {
        base = &base[..base.len() - 1];
    }
    if !plural.is_empty() {
        base = &plural;
    }
    for (suffix, shortest) in SUFFIXES {
        if let Some(shorter) = base.strip_suffix(suffix)
            && shorter.len() >= *shortest
            && shorter.contains(['a', 'e', 'i', 'o', 'u', 'y'])
        {
            base = undoubled(shorter);
            break;
        }
    }
    let base = if base.len() > 3 { base.strip_suffix('e').unwrap_or(base) } else { base };
    match base.strip_suffix('y') {
        Some(shorter) if shorter.len() >= 3 => format!("{shorter}i"),
        _ => base.to_owned(),
    }
}

/// Suffixes, the longest first, with the fewest letters that must stay.
const SUFFIXES: &[(&str, usize)] = &[
    ("ation", 4),
    ("ment", 4),
    ("ated", 4),
    ("ing", 3),
    ("ion", 5),
    ("ied", 3),
    ("ate", 4),
    ("ive", 5),
    ("al", 5),
    ("or", 5),
    ("er", 5),
    ("ly", 4),
    ("ed", 3),
];

/// Takes back the doubled consonant of `planned` or `dropping`.
fn undoubled(base: &str) -> &str {
    let mut ends = base.bytes().rev();
    let (Some(last), Some(previous)) = (ends.next(), ends.next()) else { return base };
    let doubled = last == previous && !matches!(last, b'l' | b's' | b'z' | b'e' | b'o');
    if doubled && base.len() > 3 { &base[..base.len() - 1] } else { base }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_forms_meet() {
        for (left, right) in [
            ("acquire", "acquired"),
            ("resigned", "resignation"),
            ("settle", "settlement"),
            ("appointed", "appointment"),
            ("companies", "company"),
            ("planned", "planning"),
            ("paid", "pay"),
            ("made", "makes"),
            ("gave", "given"),
            ("investigated", "investigation"),
            ("fined", "fines"),
            ("rules", "ruling"),
        ] {
            assert_eq!(stem(left), stem(right), "{left} {right}");
        }
        for (left, right) in
            [("million", "mill"), ("billion", "bill"), ("fee", "feed"), ("press", "pre"), ("sing", "s")]
        {
            assert_ne!(stem(left), stem(right), "{left} {right}");
        }
    }
}
