//! Vectors TV-41 to TV-51: which concepts a text has, in which order.

use super::shared;
use ragsql::gateway::lazy_graph::extract_concepts;

#[test]
fn concepts_of_the_documented_texts() {
    for (text, expected) in [
        (
            "Solar Farm feeds Grid Nine. Solar Farm also feeds Pump A1.2!",
            "solar|solar farm|farm|feeds|grid nine. solar farm|pump a1.2|grid|nine|pump|a1.2",
        ),
        ("The Big Bad Wolf Ran Away", "the big bad wolf|ran away|big|bad|wolf|ran|away"),
        ("Inc. Apple Computer", "inc. apple computer|inc|apple|computer"),
        ("e.g. U.S.A. AT&T don't", "e.g|u.s.a|don"),
        ("foo...bar baz--", "foo...bar|baz"),
        ("_abc abc_ -abc", "abc"),
        ("abc\u{b2} def", "def"),
        ("cafe\u{301} latte", "cafe|latte"),
        ("\u{e9}tude piano", "piano"),
        ("na\u{ef}ve Stra\u{df}e", ""),
        ("Foo\u{1c}Bar Baz\u{a0}Qux", "foo bar baz qux|foo|bar|baz|qux"),
        ("New\n\nYork City", "new york city|new|york|city"),
        ("Foo\u{200b}Bar", "foo|bar"),
        ("", ""),
        ("a b c", ""),
        ("the and with", ""),
    ] {
        assert_eq!(extract_concepts(text, 24).join("|"), expected, "{text:?}");
    }
}

#[test]
fn a_capital_before_a_foreign_letter_ends_no_word() {
    // `Bar` is cut off from its boundary by a letter outside ASCII, so the phrase falls back to the words before it.
    assert_eq!(extract_concepts("Alpha Beta Bar\u{e9}", 24).join("|"), "alpha beta|alpha|beta");
    assert!(extract_concepts("Alpha Bar\u{e9}", 24).iter().all(|concept| concept == "alpha"));
    // A vowel sign is a mark, no letter: the boundary before it holds.
    assert_eq!(extract_concepts("abc\u{93e} def", 24).join("|"), "abc|def");
}

#[test]
fn at_least_one_concept_is_kept() {
    let text = "Solar Farm feeds Grid Nine. Solar Farm also feeds Pump A1.2!";
    for (limit, expected) in [(-3, "solar"), (0, "solar"), (1, "solar"), (3, "solar|solar farm|farm")] {
        assert_eq!(extract_concepts(text, limit).join("|"), expected, "limit {limit}");
    }
}

#[test]
fn concepts_equal_the_shared_vectors() {
    let Some(lazy) = shared::vectors("lazy") else { return };
    for case in lazy["concepts"].as_array().unwrap() {
        let found = extract_concepts(case["text"].as_str().unwrap(), case["max"].as_i64().unwrap());
        assert_eq!(found, shared::texts(&case["concepts"]), "{}", case["text"]);
    }
    for (limit, concepts) in lazy["concepts_caps"].as_object().unwrap() {
        let text = "Solar Farm feeds Grid Nine. Solar Farm also feeds Pump A1.2!";
        assert_eq!(extract_concepts(text, limit.parse().unwrap()), shared::texts(concepts));
    }
}
