//! A person at a terminal who answers what no flag said.

use crate::error::{Failure, Kind, Result};
use crate::ui;
use std::io::{BufRead as _, IsTerminal as _};

/// Somebody who can be asked.
pub struct Person;

impl Person {
    /// The person behind stdin; null when there is none, or when nobody shall be asked.
    pub fn on_terminal(may_ask: bool) -> Option<Self> {
        (may_ask && std::io::stdin().is_terminal()).then_some(Self)
    }

    /// One line, trimmed; null at the end of the input.
    pub fn ask(&mut self, question: &str) -> Result<Option<String>> {
        ui::status(&format!("{question}:"));
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        let read = read.map_err(|error| Failure::new(Kind::Outside, format!("the answer cannot be read: {error}")))?;
        Ok((read > 0).then(|| line.trim().to_owned()))
    }

    /// Some of the listed models, by number or by name, in the order given.
    pub fn choose(&mut self, listed: &[String]) -> Result<Vec<String>> {
        let answer = self.ask("models to measure: numbers or names, separated by commas")?.unwrap_or_default();
        let mut chosen: Vec<String> = Vec::new();
        for word in answer.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let by_number = word.parse::<usize>().ok().and_then(|number| listed.get(number.checked_sub(1)?));
            let Some(model) = by_number.or_else(|| listed.iter().find(|model| *model == word)) else {
                return Err(Failure::new(Kind::Input, format!("the list has no `{word}`; nothing was written")));
            };
            if !chosen.contains(model) {
                chosen.push(model.clone());
            }
        }
        if chosen.is_empty() {
            return Err(Failure::new(Kind::Input, "no model was chosen; nothing was written"));
        }
        Ok(chosen)
    }
}
