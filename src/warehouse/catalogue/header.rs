//! The header comment of a statement, as `docs/sql-headers.md` defines it.
//!
//! Reads text, returns typed parts, and refuses what it does not know: a misspelt key would otherwise be lost.

use crate::warehouse::{Error, Result};

/// What a statement says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    /// The path below `sql/` without `.sql`.
    pub name: String,
    /// Why it exists, in a sentence.
    pub purpose: String,
    /// What one row stands for.
    pub grain: String,
    /// Tables and views it reads; empty when none.
    pub reads: Vec<String>,
    /// Bound parameters; empty when none.
    pub parameters: Vec<Parameter>,
    /// Columns of the result, in order; empty for statements without one.
    pub columns: Vec<Column>,
    /// Columns the rows are ordered by; empty when order has no meaning.
    pub order: Vec<String>,
    /// When values are null.
    pub nulls: String,
    /// First version of the program that had it.
    pub since: String,
}

/// One bound parameter, written `$name` in the statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Without the dollar sign.
    pub name: String,
    /// A SQL type.
    pub kind: String,
    /// The value used when nobody gives one, as JSON text; null when it must be given.
    pub default: Option<String>,
    /// What it does.
    pub meaning: String,
}

/// One column of the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// As in the result.
    pub name: String,
    /// A SQL type.
    pub kind: String,
    /// Unit or range; empty when there is none.
    pub unit: String,
    /// What it says.
    pub meaning: String,
}

/// Parses the comment lines a file begins with.
pub(super) fn parse(file: &str, text: &str) -> Result<Header> {
    let mut header = Header::default();
    let mut seen = Vec::new();
    let wrong = |line: usize, reason: String| Error::Header { file: file.to_owned(), line, reason };
    let mut last = 0;
    for (line, key, value) in entries(text) {
        last = line;
        if key.is_empty() || value.is_empty() {
            return Err(wrong(line, "expected `-- key: value`".to_owned()));
        }
        if !matches!(key, "param" | "column") && seen.contains(&key) {
            return Err(wrong(line, format!("the key `{key}` appears twice")));
        }
        seen.push(key);
        match key {
            "name" => header.name = value,
            "purpose" => header.purpose = value,
            "grain" => header.grain = value,
            "reads" => header.reads = list(&value),
            "order" => header.order = list(&value),
            "nulls" => header.nulls = value,
            "since" => header.since = value,
            "param" => header.parameters.push(parameter(&value).map_err(|reason| wrong(line, reason))?),
            "column" => header.columns.push(column(&value).map_err(|reason| wrong(line, reason))?),
            _ => return Err(wrong(line, format!("unknown key `{key}`; known are {}", KEYS.join(", ")))),
        }
    }
    for key in KEYS.iter().filter(|key| !matches!(**key, "param" | "column")) {
        if !seen.contains(key) {
            return Err(wrong(last + 1, format!("the key `{key}` is missing")));
        }
    }
    let expected = file.trim_end_matches(".sql");
    if header.name != expected {
        return Err(wrong(1, format!("`name` is `{}`, but the file is `{expected}`", header.name)));
    }
    Ok(header)
}

const KEYS: [&str; 9] = ["name", "purpose", "grain", "reads", "param", "column", "order", "nulls", "since"];

/// Yields (one-based line, key, value); a line indented by two or more blanks continues the one before.
fn entries(text: &str) -> Vec<(usize, &str, String)> {
    let mut found: Vec<(usize, &str, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(comment) = line.strip_prefix("--") else { break };
        if comment.starts_with("   ")
            && let Some((_, _, value)) = found.last_mut()
        {
            value.push(' ');
            value.push_str(comment.trim());
            continue;
        }
        let (key, value) = comment.trim().split_once(':').unwrap_or(("", ""));
        found.push((index + 1, key.trim(), value.trim().to_owned()));
    }
    found
}

/// Splits at commas outside brackets; the single word `none` is the empty list.
fn list(value: &str) -> Vec<String> {
    if value == "none" { Vec::new() } else { value.split(',').map(|item| item.trim().to_owned()).collect() }
}

/// Splits `name (type, detail): meaning`.
fn parts(value: &str) -> Result<(&str, &str, &str, &str), String> {
    let malformed = || format!("expected `name (type, detail): meaning`, found `{value}`");
    let (name, rest) = value.split_once(" (").ok_or_else(malformed)?;
    let (inside, meaning) = rest.split_once("): ").ok_or_else(malformed)?;
    let (kind, detail) = split_type(inside);
    Ok((name, kind, detail, meaning.trim()))
}

/// Splits at the first comma outside brackets, so `decimal(38, 18), 0..1` keeps its type whole.
fn split_type(inside: &str) -> (&str, &str) {
    let mut depth = 0;
    for (index, character) in inside.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => return (inside[..index].trim(), inside[index + 1..].trim()),
            _ => {}
        }
    }
    (inside.trim(), "")
}

fn parameter(value: &str) -> Result<Parameter, String> {
    let (name, kind, detail, meaning) = parts(value)?;
    let default = match detail {
        "required" => None,
        _ => Some(detail.strip_prefix("default ").ok_or("a parameter is `required` or has a `default VALUE`")?),
    };
    Ok(Parameter {
        name: name.to_owned(),
        kind: kind.to_owned(),
        default: default.map(str::to_owned),
        meaning: meaning.to_owned(),
    })
}

fn column(value: &str) -> Result<Column, String> {
    let (name, kind, unit, meaning) = parts(value)?;
    Ok(Column { name: name.to_owned(), kind: kind.to_owned(), unit: unit.to_owned(), meaning: meaning.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "-- name: metrics/x_v1\n-- purpose: Counts.\n--   Twice.\n-- grain: one row\n-- reads: cells, scores\n\
        -- param: floor (double, default 0.5): least share\n-- column: mean (decimal(38, 18), 0..1): the mean\n\
        -- order: none\n-- nulls: never\n-- since: 0.1.0\nselect 1";

    #[test]
    fn every_part_is_typed_and_continuation_lines_are_joined() {
        let header = parse("metrics/x_v1.sql", GOOD).unwrap();
        assert_eq!(header.purpose, "Counts. Twice.");
        assert_eq!(header.reads, ["cells", "scores"]);
        assert_eq!(header.parameters[0].default.as_deref(), Some("0.5"));
        assert_eq!((header.columns[0].kind.as_str(), header.columns[0].unit.as_str()), ("decimal(38, 18)", "0..1"));
        assert!(header.order.is_empty());
    }

    #[test]
    fn a_misspelt_missing_or_repeated_key_is_refused_with_its_line() {
        for (bad, reason) in [
            (GOOD.replace("grain", "grian"), "line 4: unknown key `grian`"),
            (GOOD.replace("-- nulls: never\n", ""), "the key `nulls` is missing"),
            (GOOD.replace("-- nulls: never", "-- nulls: a\n-- nulls: b"), "the key `nulls` appears twice"),
            (GOOD.replace("metrics/x_v1", "metrics/y_v1"), "but the file is `metrics/x_v1`"),
            (GOOD.replace("default 0.5", "0.5"), "`required` or has a `default VALUE`"),
        ] {
            let message = parse("metrics/x_v1.sql", &bad).unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
        }
    }
}
