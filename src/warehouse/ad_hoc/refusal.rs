//! DuckDB's words turned into ours: what is wrong, where it stands in the statement, and the nearest name.
//!
//! Reads an error that was taken apart, and the statement; returns an error of this room. Names no flags: how a
//! statement is asked, and what that way of asking offers, is known further up.

use super::super::Error;
use super::super::error::Remedy;
use super::super::told::Told;
use super::{Database, Limits};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Terminal columns of a statement that are shown around the fault.
const SHOWN_COLUMNS: usize = 90;

/// A statement and where it is asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene<'a> {
    pub database: Database,
    pub limits: Limits,
    pub statement: &'a str,
}

impl Database {
    fn name(self) -> &'static str {
        match self {
            Self::Warehouse => "warehouse",
            Self::Index => "index",
        }
    }

    /// Why nobody needs to write it.
    fn origin(self) -> &'static str {
        match self {
            Self::Warehouse => "it is derived from the evidence, and rebuilt from it",
            Self::Index => "it is made from the documents, and a new ingestion makes it again",
        }
    }

    fn only_reads(self) -> String {
        format!("a statement can read the {} only", self.name())
    }
}

/// Explains why a statement was not answered.
pub(super) fn explain(told: &Told, scene: &Scene) -> Error {
    if told.is_interrupt() {
        return Error::unanswerable(match scene.limits.timeout_s {
            Some(limit_s) => format!("the statement took longer than {limit_s} s and was stopped"),
            None => "the statement was stopped".to_owned(),
        });
    }
    let said = told.first_line().to_owned();
    if told.is_out_of_memory() {
        return Error::Memory { query: None, reason: said };
    }
    if let Some(meaning) = meaning(&told.message, scene.database) {
        return Error::unanswerable(format!("{meaning} ({said})"));
    }
    let hint = told.nearest.as_ref().map(|name| format!("did you mean `{name}`?"));
    let reason = match told.position.and_then(|position| excerpt(scene.statement, position)) {
        Some((line, column, shown)) => format!("{said} (line {line}, column {column})\n{shown}"),
        None => said,
    };
    Error::AdHoc { reason, hint, remedy: None }
}

/// What DuckDB's refusals mean here.
fn meaning(message: &str, database: Database) -> Option<String> {
    let only_reads = database.only_reads();
    if message.contains("read-only mode") {
        return Some(format!("the {} can only be read: {}", database.name(), database.origin()));
    }
    if message.contains("file system operations are disabled") {
        return Some(format!("{only_reads}, no other files"));
    }
    if message.contains("disabled through configuration") {
        return Some(format!("{only_reads}, and load no extensions"));
    }
    if message.contains("disabled by configuration") {
        return Some(format!("{only_reads}, no other files and no network"));
    }
    let is_locked = message.contains("configuration has been locked");
    is_locked.then(|| "the settings of this connection are locked".to_owned())
}

/// The refusal of a statement that calls a function which acts.
pub(super) fn acting(function: &str, scene: &Scene) -> Error {
    let reason = format!("`{function}` acts instead of reading, and {}", scene.database.only_reads());
    Error::AdHoc { reason, hint: None, remedy: Some(Remedy::Rights) }
}

/// The refusal of a statement that does something else than read.
pub(super) fn not_reading(scene: &Scene) -> Error {
    let statement = scene.statement;
    let word: String = statement
        .trim_start()
        .chars()
        .take_while(|character| character.is_alphanumeric())
        .collect::<String>()
        .to_lowercase();
    let by_origin = format!("it can only be read: {}", scene.database.origin());
    let meaning = match word.as_str() {
        "set" | "reset" | "pragma" => "the settings of this connection are locked",
        "copy" | "export" | "import" | "attach" | "detach" => "no other files are read or written",
        "install" | "load" | "update" if statement.to_lowercase().contains("extension") || word != "update" => {
            "no extensions are loaded"
        }
        "pivot" | "unpivot" => "a pivot must list its values",
        _ => &by_origin,
    };
    let (hint, remedy) = match word.as_str() {
        "pivot" | "unpivot" => (Some("write `pivot cells on status in ('ok', 'error') using count(*)`"), None),
        "copy" | "export" => (None, Some(Remedy::Files)),
        _ => (
            Some("select, from, with, values, pivot, describe, show, summarize and explain are answered"),
            Some(Remedy::Rights),
        ),
    };
    let named = if word.is_empty() { String::new() } else { format!(", `{word}` is not answered") };
    let reason = format!("{}{named}: {meaning}", scene.database.only_reads());
    Error::AdHoc { reason, hint: hint.map(str::to_owned), remedy }
}

/// The line of a byte position, one-based line and column, and the line itself above a caret.
///
/// Nothing when the position is outside the statement or inside a character. Looks at each character of the line once.
fn excerpt(statement: &str, position: usize) -> Option<(usize, usize, String)> {
    let before = statement.get(..position)?;
    let line_start = before.rfind('\n').map_or(0, |index| index + 1);
    let line = statement[line_start..].lines().next().unwrap_or_default();
    let number = before.matches('\n').count() + 1;
    let left = before.get(line_start..)?;
    let column = left.graphemes(true).count() + 1;
    let shown_left = ending(left, SHOWN_COLUMNS / 2);
    let is_cut_left = shown_left.len() < left.len();
    let left_columns = shown_left.width();
    let mut shown = shown_left.to_owned();
    let mut columns = left_columns;
    let mut is_cut_right = false;
    for grapheme in line.get(left.len()..).unwrap_or_default().graphemes(true) {
        columns += grapheme.width();
        if columns > SHOWN_COLUMNS {
            is_cut_right = true;
            break;
        }
        shown.push_str(grapheme);
    }
    let (begin, end) = (if is_cut_left { "…" } else { "" }, if is_cut_right { "…" } else { "" });
    let caret_at = left_columns + usize::from(is_cut_left);
    let margin = number.to_string();
    let blanks = " ".repeat(margin.len());
    // A tab is as wide as it likes; the caret line has the same one.
    let shown = shown.replace('\t', " ");
    let text = format!("  {margin} | {begin}{shown}{end}\n  {blanks} | {}^", " ".repeat(caret_at));
    Some((number, column, text))
}

/// The last graphemes of a text that fit into `columns`.
fn ending(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let mut start = text.len();
    for (index, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme.width();
        if used > columns {
            break;
        }
        start = index;
    }
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(words: &str, statement: &str) -> (String, Option<String>) {
        let scene = Scene { database: Database::Warehouse, limits: Limits::default(), statement };
        match explain(&Told::read(words), &scene) {
            Error::AdHoc { reason, hint, .. } => (reason, hint),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn a_misspelt_column_is_told_with_its_place_and_the_nearest_name() {
        let words = r#"{"exception_type":"Binder","exception_message":"Referenced column \"statu\" not found!\nCandidate bindings: \"status\"","candidates":"status,source_line","position":"26","error_subtype":"COLUMN_NOT_FOUND"}"#;
        let (reason, hint) = told(words, "select 1\nfrom cells where statu = 'ok'");
        let expected = "Referenced column \"statu\" not found! (line 2, column 18)\n  \
                        2 | from cells where statu = 'ok'\n    |                  ^";
        assert_eq!(reason, expected);
        assert_eq!(hint.as_deref(), Some("did you mean `status`?"));
    }

    #[test]
    fn the_caret_stands_under_the_fault_behind_wide_characters_and_in_long_lines() {
        let statement = "select '日本' , statu from cells";
        let position = statement.find("statu ").unwrap();
        let (_, column, shown) = excerpt(statement, position).unwrap();
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(column, 15);
        let caret = lines[1].find('^').unwrap();
        assert_eq!(lines[0][..lines[0].find("statu").unwrap()].width(), caret);
        let long = format!("select {} statu from cells where {}", "x, ".repeat(200), "y".repeat(300));
        let (_, _, shown) = excerpt(&long, long.find("statu").unwrap()).unwrap();
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines.iter().all(|line| line.width() <= SHOWN_COLUMNS + 10), "{shown}");
        assert_eq!(lines[0][..lines[0].find("statu").unwrap()].width(), lines[1].find('^').unwrap());
    }

    #[test]
    fn a_position_that_is_none_is_not_shown() {
        assert!(excerpt("select 1", 99).is_none());
        assert!(excerpt("é", 1).is_none());
        assert_eq!(told("Binder Error: nothing fits\nmore", "select 1").0, "nothing fits");
    }
    #[test]
    fn a_fault_far_into_a_line_of_megabytes_is_found_without_going_over_it_again_and_again() {
        let long = format!("select {} statu from cells", "x, ".repeat(700_000));
        let (_, column, shown) = excerpt(&long, long.find("statu").unwrap()).unwrap();
        assert_eq!(column, 2_100_009);
        assert_eq!(shown.lines().next().unwrap().trim_start_matches("  1 | …"), &long[long.len() - 61..]);
    }

    #[test]
    fn words_that_a_person_typed_are_not_taken_for_the_engine() {
        let (reason, _) =
            told("Binder Error: Referenced column \"INTERRUPT\" not found!", "select INTERRUPT from cells");
        assert!(reason.contains("Referenced column"), "{reason}");
        let (reason, _) = told("Conversion Error: Could not convert string 'Out of Memory' to INT32", "select 1");
        assert!(reason.starts_with("Could not convert"), "{reason}");
    }
}
