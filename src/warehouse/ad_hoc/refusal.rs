//! DuckDB's words turned into ours: what is wrong, where it stands in the statement, and the nearest name.
//!
//! Reads an error, in JSON when the connection writes it so, and the statement; returns an error of this room.

use super::super::Error;
use super::Limits;
use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Terminal columns of a statement that are shown around the fault.
const SHOWN_COLUMNS: usize = 90;

/// What somebody is told whose statement ran out of memory.
pub(super) const NEEDS_MEMORY: &str = "the statement needs more memory than the connection may use";

const ONLY_READS: &str = "a statement can read the warehouse only";

/// Signs in DuckDB's words, and what they mean here.
const REFUSALS: [(&str, &str); 6] = [
    ("read-only mode", "the warehouse can only be read: it is derived from the evidence, and rebuilt from it"),
    ("file system operations are disabled", "a statement can read the warehouse only, no other files"),
    ("disabled through configuration", "a statement can read the warehouse only, and load no extensions"),
    ("disabled by configuration", "a statement can read the warehouse only, no other files and no network"),
    ("configuration has been locked", "the settings of this connection are locked"),
    ("Out of Memory", NEEDS_MEMORY),
];

/// Explains why a statement was not answered.
pub(super) fn explain(words: &str, statement: &str, limits: Limits) -> Error {
    let told = Told::read(words);
    if words.contains("INTERRUPT") || told.kind == "Interrupt" {
        let reason = match limits.timeout_s {
            Some(limit_s) => format!("the statement took longer than {limit_s} s and was stopped"),
            None => "the statement was stopped".to_owned(),
        };
        return Error::AdHoc { reason, hint: None };
    }
    let said = told.message.lines().next().unwrap_or_default().trim().to_owned();
    if let Some((_, meaning)) = REFUSALS.iter().find(|(sign, _)| told.message.contains(sign) || told.kind == *sign) {
        let hint = (told.kind == "Out of Memory").then(|| {
            "name fewer columns, above all `answer` and `evidence`, or use --unsafe, which takes what there is"
                .to_owned()
        });
        return Error::AdHoc { reason: format!("{meaning} ({said})"), hint };
    }
    let hint = told.nearest.map(|name| format!("did you mean `{name}`?"));
    let reason = match told.position.and_then(|position| excerpt(statement, position)) {
        Some((line, column, shown)) => format!("{said} (line {line}, column {column})\n{shown}"),
        None => said,
    };
    Error::AdHoc { reason, hint }
}

/// The refusal of a statement that does something else than read.
pub(super) fn not_reading(statement: &str) -> Error {
    let word: String = statement
        .trim_start()
        .chars()
        .take_while(|character| character.is_alphanumeric())
        .collect::<String>()
        .to_lowercase();
    let meaning = match word.as_str() {
        "set" | "reset" | "pragma" => "the settings of this connection are locked",
        "copy" | "export" | "import" | "attach" | "detach" => "no other files are read or written",
        "install" | "load" | "update" if statement.to_lowercase().contains("extension") || word != "update" => {
            "no extensions are loaded"
        }
        "pivot" | "unpivot" => "a pivot must list its values",
        _ => "it can only be read: it is derived from the evidence, and rebuilt from it",
    };
    let hint = match word.as_str() {
        "pivot" | "unpivot" => "write `pivot cells on status in ('ok', 'error') using count(*)`".to_owned(),
        "copy" | "export" => "`ragsql export` and `--output` write files".to_owned(),
        _ => {
            "select, from, with, values, pivot, describe, show, summarize and explain are answered; --unsafe lifts this"
                .to_owned()
        }
    };
    let named = if word.is_empty() { String::new() } else { format!(", `{word}` is not answered") };
    Error::AdHoc { reason: format!("{ONLY_READS}{named}: {meaning}"), hint: Some(hint) }
}

/// An error as DuckDB tells it.
struct Told {
    kind: String,
    message: String,
    /// Bytes from the start of the statement.
    position: Option<usize>,
    nearest: Option<String>,
}

impl Told {
    fn read(words: &str) -> Self {
        let json = words.find('{').and_then(|start| crate::json::parse_strict(words.get(start..)?.trim_end()).ok());
        let Some(Value::Object(told)) = json else {
            let (kind, message) = words.split_once(" Error: ").unwrap_or(("", words));
            return Self { kind: kind.to_owned(), message: message.to_owned(), position: None, nearest: None };
        };
        let text = |key: &str| told.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let is_a_name = matches!(text("error_subtype").as_str(), "COLUMN_NOT_FOUND" | "MISSING_ENTRY");
        let nearest = text("candidates").split(',').next().map(str::trim).unwrap_or_default().to_owned();
        Self {
            kind: text("exception_type"),
            message: text("exception_message"),
            position: text("position").parse().ok(),
            nearest: Some(nearest).filter(|name| is_a_name && !name.is_empty()),
        }
    }
}

/// The line of a byte position, one-based line and column, and the line itself above a caret.
///
/// Nothing when the position is outside the statement or inside a character.
fn excerpt(statement: &str, position: usize) -> Option<(usize, usize, String)> {
    let before = statement.get(..position)?;
    let line_start = before.rfind('\n').map_or(0, |index| index + 1);
    let line = statement[line_start..].lines().next().unwrap_or_default();
    let number = before.matches('\n').count() + 1;
    let left = before.get(line_start..)?;
    let column = left.graphemes(true).count() + 1;
    let mut shown_left: Vec<&str> = left.graphemes(true).collect();
    let is_cut_left = left.width() > SHOWN_COLUMNS / 2;
    while shown_left.concat().width() > SHOWN_COLUMNS / 2 {
        shown_left.remove(0);
    }
    let mut shown = shown_left.concat();
    let mut after = line.get(left.len()..).unwrap_or_default().graphemes(true);
    let caret_at = shown.width() + usize::from(is_cut_left);
    let mut is_cut_right = false;
    for grapheme in after.by_ref() {
        if shown.width() + grapheme.width() > SHOWN_COLUMNS {
            is_cut_right = true;
            break;
        }
        shown.push_str(grapheme);
    }
    let (begin, end) = (if is_cut_left { "…" } else { "" }, if is_cut_right { "…" } else { "" });
    let margin = number.to_string();
    let blanks = " ".repeat(margin.len());
    // A tab is as wide as it likes; the caret line has the same one.
    let shown = shown.replace('\t', " ");
    let text = format!("  {margin} | {begin}{shown}{end}\n  {blanks} | {}^", " ".repeat(caret_at));
    Some((number, column, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(words: &str, statement: &str) -> (String, Option<String>) {
        match explain(words, statement, Limits::default()) {
            Error::AdHoc { reason, hint } => (reason, hint),
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
}
