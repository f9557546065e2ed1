//! Where rows go, and in which format.

use crate::cli::SqlArgs;
use crate::commands::context::Context;
use crate::commands::output::Staged;
use crate::error::{Failure, Kind, Result};
use crate::export::Format;
use crate::ui;
use std::io::Write;
use std::path::PathBuf;

/// A format and a place.
#[derive(Debug, Clone)]
pub struct Target {
    /// How rows are written.
    pub format: Format,
    /// Whether texts of CSV stay as they are.
    pub is_raw: bool,
    path: Option<PathBuf>,
    shown: String,
}

impl Target {
    /// Reads the arguments; binary formats are kept from the terminal.
    pub fn choose(context: &Context, arguments: &SqlArgs) -> Result<Self> {
        let path = arguments.output.as_ref().map(|file| context.path(file));
        let format = match (&arguments.format, &path) {
            (Some(name), _) => Format::named(name)?,
            (None, Some(path)) => Format::of_file(path).unwrap_or(Format::Table),
            (None, None) => Format::Table,
        };
        let shown = path.as_ref().map_or_else(|| "stdout".to_owned(), |path| context.shown(path));
        let target = Self { format, is_raw: arguments.raw, path, shown };
        target.refuse_binary_on_a_terminal()?;
        Ok(target)
    }

    /// The same place in another format.
    pub fn in_format(&self, name: &str) -> Result<Self> {
        let other = Self { format: Format::named(name)?, ..self.clone() };
        other.refuse_binary_on_a_terminal()?;
        Ok(other)
    }

    fn refuse_binary_on_a_terminal(&self) -> Result<()> {
        if self.format.is_binary() && self.path.is_none() && ui::is_terminal() {
            let name = self.format.ending();
            return Err(Failure::new(Kind::Input, format!("a terminal cannot show `{name}`"))
                .hint(format!("write it to a file: --output rows.{name}")));
        }
        Ok(())
    }

    /// Opens the place; a file is staged, and has to be committed.
    pub fn open(&self) -> Result<(Box<dyn Write + Send>, Option<Staged>)> {
        match &self.path {
            None => Ok((ui::output(), None)),
            Some(path) => {
                let staged = Staged::create(path)?;
                Ok((staged.writer()?, Some(staged)))
            }
        }
    }

    /// Whether rows go to a file.
    pub fn is_file(&self) -> bool {
        self.path.is_some()
    }

    /// Whether rows go to a terminal.
    pub fn is_shown(&self) -> bool {
        self.path.is_none() && ui::is_terminal()
    }

    /// Whether the rows of several statements can stand in it one after the other.
    pub fn takes_several(&self) -> bool {
        self.path.is_none() && self.format.is_for_reading()
    }

    /// What people call it.
    pub fn described(&self) -> String {
        match self.path {
            Some(_) => self.shown.clone(),
            None => format!("`{}` on stdout", self.format.ending()),
        }
    }
}
