//! An error as DuckDB tells it: in words, or in JSON when the connection was asked for it.
//!
//! Reads an error of the client library; says what it is about. The one place where DuckDB's words are looked into.

use serde_json::Value;

/// An error taken apart.
#[derive(Debug)]
pub(super) struct Told {
    /// DuckDB's name of the kind, for instance `Binder`; empty when the words do not begin with one.
    pub kind: String,
    /// What is wrong, without the kind.
    pub message: String,
    /// Bytes from the start of the statement; null when the error has no place.
    pub position: Option<usize>,
    /// The nearest name of a table or column; null when no name is the matter.
    pub nearest: Option<String>,
}

impl Told {
    /// Takes an error apart.
    pub fn of(error: &duckdb::Error) -> Self {
        Self::read(&words(error))
    }

    /// Takes DuckDB's words apart.
    pub fn read(words: &str) -> Self {
        let json = words.find('{').and_then(|start| crate::json::parse_strict(words.get(start..)?.trim_end()).ok());
        let told = match json {
            Some(Value::Object(told)) if told.contains_key("exception_type") => told,
            _ => {
                let (kind, message) = words.split_once(" Error: ").unwrap_or(("", words));
                return Self { kind: kind.to_owned(), message: message.to_owned(), position: None, nearest: None };
            }
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

    /// Whether the engine had not enough memory.
    ///
    /// A commit and a checkpoint that lack it say so under a kind of their own, with the engine's advice to raise the
    /// limit. The words of other kinds quote what people typed, so they are not looked at.
    pub fn is_out_of_memory(&self) -> bool {
        match self.kind.as_str() {
            "Out of Memory" => true,
            "TransactionContext" | "FATAL" | "INTERNAL" | "" => self.message.contains("SET memory_limit="),
            _ => false,
        }
    }

    /// Whether somebody stopped the statement.
    pub fn is_interrupt(&self) -> bool {
        self.kind == "INTERRUPT"
    }

    /// The first line of what is wrong.
    pub fn first_line(&self) -> &str {
        self.message.lines().next().unwrap_or_default().trim()
    }
}

/// DuckDB's own words, without the wrapping of the client library.
pub(super) fn words(error: &duckdb::Error) -> String {
    match error {
        duckdb::Error::DuckDBFailure(_, Some(text)) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_from_words_and_from_json_and_never_from_what_people_typed() {
        let memory = Told::read("Out of Memory Error: could not allocate block of size 256.0 KiB (1 MiB/1 MiB used)");
        assert!(memory.is_out_of_memory() && !memory.is_interrupt());
        let json = r#"Invalid Error: {"exception_type":"Out of Memory","exception_message":"failed to pin block"}"#;
        assert!(Told::read(json).is_out_of_memory());
        let commit = "TransactionContext Error: Failed to commit: could not allocate block\n\
                      * Increasing the memory limit (SET memory_limit='...GB')";
        assert!(Told::read(commit).is_out_of_memory());
        assert!(Told::read("INTERRUPT Error: Interrupted!").is_interrupt());
        for typed in [
            "Conversion Error: Could not convert string 'Out of Memory' to INT32",
            "Conversion Error: Could not convert string '(SET memory_limit=' to INT32",
            "Binder Error: Referenced column \"INTERRUPT\" not found in FROM clause!",
        ] {
            let told = Told::read(typed);
            assert!(!told.is_out_of_memory() && !told.is_interrupt(), "{typed}");
        }
        assert_eq!(Told::read("Binder Error: `{\"a\":1}` is odd").kind, "Binder");
    }
}
