//! What the line editor knows: words that complete, and when a statement is whole.

use crate::warehouse::split;
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};
use std::collections::BTreeSet;

const COMMANDS: [&str; 6] = [".explain", ".format", ".help", ".queries", ".quit", ".schema"];
const KEYWORDS: [&str; 40] = [
    "and",
    "as",
    "asc",
    "avg",
    "between",
    "by",
    "case",
    "cast",
    "count",
    "cross",
    "desc",
    "describe",
    "distinct",
    "else",
    "end",
    "exists",
    "explain",
    "filter",
    "from",
    "group",
    "having",
    "in",
    "inner",
    "is",
    "join",
    "left",
    "like",
    "limit",
    "not",
    "null",
    "offset",
    "on",
    "or",
    "order",
    "over",
    "partition",
    "select",
    "using",
    "when",
    "where",
];

/// The words, in order.
pub struct Words {
    names: BTreeSet<String>,
    queries: BTreeSet<String>,
}

impl Words {
    /// Takes views and columns, and the names of queries.
    pub fn new(names: impl IntoIterator<Item = String>, queries: BTreeSet<String>) -> Self {
        let keywords = KEYWORDS.iter().map(|word| (*word).to_owned());
        Self { names: names.into_iter().chain(keywords).collect(), queries }
    }

    /// The byte where the word at the end of `line` begins, and what it can become.
    fn candidates(&self, line: &str) -> (usize, Vec<String>) {
        let belongs = |character: char| character.is_alphanumeric() || matches!(character, '_' | '@' | '.' | '/');
        let start = line.char_indices().rev().take_while(|(_, character)| belongs(*character)).last();
        let start = start.map_or(line.len(), |(index, _)| index);
        let word = &line[start..];
        if start == 0 && word.starts_with('.') {
            return (
                start,
                COMMANDS.iter().filter(|name| name.starts_with(word)).map(|name| (*name).to_owned()).collect(),
            );
        }
        if let Some(name) = word.strip_prefix('@') {
            let fits = |query: &&String| {
                query.starts_with(name) || query.rsplit('/').next().is_some_and(|last| last.starts_with(name))
            };
            return (start, self.queries.iter().filter(fits).map(|query| format!("@{query}")).collect());
        }
        // Behind the name of a table, its columns: `cells.app` completes like `app`.
        let start = word.rfind('.').map_or(start, |index| start + index + 1);
        let word = line[start..].to_lowercase();
        if word.is_empty() {
            return (start, Vec::new());
        }
        (start, self.names.iter().filter(|name| name.starts_with(&word)).cloned().collect())
    }
}

impl Helper for Words {}

impl Highlighter for Words {}

impl Hinter for Words {
    type Hint = String;
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, found) = self.candidates(&line[..position]);
        let pair = |name: String| Pair { display: name.clone(), replacement: name };
        Ok((start, found.into_iter().map(pair).collect()))
    }
}

impl Validator for Words {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        Ok(match is_whole(context.input()) {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

/// Commands and named queries are one line; a statement ends with a semicolon.
fn is_whole(input: &str) -> bool {
    let text = input.trim();
    text.is_empty() || text.starts_with(['.', '@']) || split(text).is_ended
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        let names = ["cells", "approach", "answer", "scores"].map(str::to_owned);
        Words::new(names, ["rankings/standings", "reports/leaderboard"].map(str::to_owned).into())
    }

    #[test]
    fn views_columns_queries_and_commands_complete() {
        let words = words();
        assert_eq!(words.candidates("select app"), (7, vec!["approach".to_owned()]));
        assert_eq!(words.candidates("select cells.app"), (13, vec!["approach".to_owned()]));
        assert_eq!(words.candidates("FRO"), (0, vec!["from".to_owned()]));
        assert_eq!(words.candidates("@lead"), (0, vec!["@reports/leaderboard".to_owned()]));
        assert_eq!(words.candidates(".qu"), (0, vec![".queries".to_owned(), ".quit".to_owned()]));
        assert_eq!(words.candidates("select 'é', ").1, Vec::<String>::new());
    }

    #[test]
    fn a_statement_goes_on_until_its_semicolon() {
        for (input, whole) in [
            ("select 1", false),
            ("select 1;", true),
            ("select ';'", false),
            ("select 1\nfrom cells;", true),
            (".help", true),
            ("@leaderboard dataset=x", true),
            ("", true),
        ] {
            assert_eq!(is_whole(input), whole, "{input}");
        }
    }
}
