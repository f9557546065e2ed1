//! A question made from a statement: the asked word first, then what is left of the statement.

use crate::gateway::builtin::words::{Kind, words};

/// Makes the question that a statement answers, as far as a template can.
///
/// A statement with a date gives `When ...?` without the date, one with another number `How much or how many ...?`
/// without the numbers, any other `What ...?`.
pub(super) fn question_from(statement: &str) -> String {
    let words = words(statement);
    let is_year = |stem: &str| stem.len() == 4 && (stem.starts_with("19") || stem.starts_with("20"));
    let dated = words.iter().any(|word| word.kind == Kind::Number && is_year(&word.stem));
    let counted = words.iter().any(|word| word.kind == Kind::Number);
    let asked = match (dated, counted) {
        (true, _) => "When",
        (false, true) => "How much or how many",
        (false, false) => "What",
    };
    let rest = words.iter().filter(|word| word.kind != Kind::Number).map(|word| word.text);
    format!("{}?", std::iter::once(asked).chain(rest).collect::<Vec<_>>().join(" "))
}
