//! What the beginning of a broken row still says about its cell.
//!
//! Walks over JSON that may end anywhere or turn into rubbish, and keeps the five texts that identify a cell. Guesses
//! nothing: a text that is cut is not used.

use crate::evidence::row;

/// The names found in damaged bytes; null where they are lost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CellHint {
    /// Read, or computed when the other four are known.
    pub row_id: Option<String>,
    /// `run_id`.
    pub run_id: Option<String>,
    /// `dataset.id`.
    pub dataset_id: Option<String>,
    /// `question.id`.
    pub question_id: Option<String>,
    /// `approach.model`.
    pub model: Option<String>,
}

impl CellHint {
    /// Reads as far as the bytes are JSON.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let mut hint = Self::default();
        // Rubbish that is not text ends the walk, like rubbish that is not JSON.
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        };
        let _ = Walk { rest: text, path: Vec::new(), hint: &mut hint }.object();
        if hint.row_id.is_none()
            && let (Some(run), Some(dataset), Some(question), Some(model)) =
                (&hint.run_id, &hint.dataset_id, &hint.question_id, &hint.model)
        {
            hint.row_id = Some(row::row_id(run, dataset, question, model));
        }
        hint
    }

    fn keep(&mut self, path: &[String], text: String) {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let slot = match path[..] {
            ["row_id"] => &mut self.row_id,
            ["run_id"] => &mut self.run_id,
            ["dataset", "id"] => &mut self.dataset_id,
            ["question", "id"] => &mut self.question_id,
            ["approach", "model"] => &mut self.model,
            _ => return,
        };
        *slot = Some(text);
    }
}

/// Values deeper than this identify nothing and are skipped as rubbish, so that the walk cannot exhaust the stack.
const MAX_DEPTH: usize = 128;

struct Walk<'a, 'b> {
    rest: &'a str,
    path: Vec<String>,
    hint: &'b mut CellHint,
}

/// Every step returns null where the JSON ends.
impl Walk<'_, '_> {
    fn object(&mut self) -> Option<()> {
        self.skip_blanks();
        self.take('{')?;
        self.skip_blanks();
        if self.take('}').is_some() {
            return Some(());
        }
        loop {
            self.skip_blanks();
            let key = self.text()?;
            self.skip_blanks();
            self.take(':')?;
            self.path.push(key);
            self.value()?;
            self.path.pop();
            self.skip_blanks();
            if self.take('}').is_some() {
                return Some(());
            }
            self.take(',')?;
        }
    }

    fn value(&mut self) -> Option<()> {
        self.skip_blanks();
        match self.rest.chars().next()? {
            _ if self.path.len() > MAX_DEPTH => None,
            '{' => self.object(),
            '[' => self.array(),
            '"' => {
                let text = self.text()?;
                self.hint.keep(&self.path, text);
                Some(())
            }
            _ => {
                let end = self.rest.find([',', '}', ']'])?;
                self.rest = &self.rest[end..];
                Some(())
            }
        }
    }

    fn array(&mut self) -> Option<()> {
        self.take('[')?;
        self.skip_blanks();
        if self.take(']').is_some() {
            return Some(());
        }
        // Nothing inside a list identifies a cell: an empty key keeps its texts from matching.
        self.path.push(String::new());
        loop {
            self.value()?;
            self.skip_blanks();
            if self.take(']').is_some() {
                self.path.pop();
                return Some(());
            }
            self.take(',')?;
        }
    }

    fn text(&mut self) -> Option<String> {
        let body = self.rest.strip_prefix('"')?;
        let mut escaped = false;
        for (position, character) in body.char_indices() {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    let quoted = &self.rest[..position + 2];
                    self.rest = &self.rest[position + 2..];
                    return serde_json::from_str(quoted).ok();
                }
                _ => {}
            }
        }
        None
    }

    fn take(&mut self, character: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(character)?;
        Some(())
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_as_far_as_the_bytes_go() {
        let whole = "{\"approach\":{\"list\":[{\"model\":\"no\"},[]],\"model\":\"m\\u00e9\"},\"dataset\":{\"id\":\"d\"},\
                     \"error\":null,\"question\":{\"id\":\"q\"},\"run_id\":\"r\"}";
        let hint = CellHint::read(whole.as_bytes());
        assert_eq!(hint.model.as_deref(), Some("mé"));
        assert_eq!(hint.row_id, Some(row::row_id("r", "d", "q", "mé")));
        let cut = CellHint::read(&whole.as_bytes()[..whole.len() - 12]);
        assert_eq!((cut.question_id.as_deref(), cut.run_id, cut.row_id), (Some("q"), None, None));
        assert_eq!(CellHint::read(b"@@@@"), CellHint::default());
        assert_eq!(CellHint::read(b"{\"row_id\":\"cut"), CellHint::default());
        assert_eq!(CellHint::read("[".repeat(100_000).as_bytes()), CellHint::default());
        assert_eq!(CellHint::read(format!("{{\"a\":{}", "[".repeat(100_000)).as_bytes()), CellHint::default());
        assert_eq!(
            CellHint::read(b"{\"run_id\":\"r\",\"x\":\"\xff"),
            CellHint { run_id: Some("r".into()), ..CellHint::default() }
        );
    }
}
