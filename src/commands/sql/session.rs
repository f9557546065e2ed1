//! What all statements of one command have in common, and how one of them is answered.

use super::output::Target;
use super::queries::Question;
use crate::commands::Ended;
use crate::commands::context::Context;
use crate::commands::import::row_files;
use crate::commands::interrupt::Stopper;
use crate::commands::level::level;
use crate::error::{Failure, Result};
use crate::export;
use crate::ui;
use crate::warehouse::{Access, AdHoc, Error, Limits, Remedy};
use std::path::PathBuf;

/// Rows of a table when nobody says how many.
const TABLE_ROWS: usize = 1000;
/// Seconds that a statement may take when nobody says how long.
const TIMEOUT_S: u64 = 60;

/// One command, or one sitting at the prompt.
pub struct Session<'a> {
    /// The project.
    pub context: &'a Context,
    /// What statements may do.
    pub access: Access,
    /// The gateway's index that is asked; null asks the warehouse.
    pub index: Option<PathBuf>,
    /// Rows at most, when somebody said so.
    pub rows_max: Option<usize>,
    /// Seconds at most, when somebody said so; 0 is for ever.
    pub timeout_s: Option<u64>,
    /// Hears Ctrl-C.
    pub stopper: Stopper,
}

impl<'a> Session<'a> {
    /// Opens the database, and says where its answers come from when that is not the usual place.
    pub fn open(&self) -> Result<AdHoc<'a>> {
        let catalogue = &self.context.catalogue;
        if let Some(index) = &self.index {
            return Ok(AdHoc::open_index(index, catalogue, self.access)?);
        }
        let evidence = row_files(&self.context.results())?;
        let database = self.context.warehouse_file();
        if !evidence.is_empty() && !database.exists() {
            level(self.context)?;
        }
        let open = match self.access {
            Access::ReadOnly => AdHoc::open(&database, &evidence, catalogue)?,
            Access::Unrestricted => AdHoc::open_unrestricted(&database, &evidence, catalogue)?,
        };
        if let Some(notice) = &open.notice {
            ui::warning(notice);
        }
        Ok(open)
    }

    /// Answers one question into the target.
    pub fn answer(&self, open: &AdHoc, question: &Question, target: &Target) -> Result<Ended> {
        let _watched = self.stopper.watch(open.interrupt_handle());
        if self.stopper.is_heard() {
            return Ok(Ended::Interrupted);
        }
        let answered = self.write(open, question, target);
        match answered {
            Err(_) if self.stopper.is_heard() => Ok(Ended::Interrupted),
            other => other.map(|()| Ended::Done),
        }
    }

    fn write(&self, open: &AdHoc, question: &Question, target: &Target) -> Result<()> {
        let asked = open.ask(&question.text, &question.values, self.limits(target));
        let mut answer = asked.map_err(|error| self.advised(error))?;
        let (out, staged) = target.open()?;
        let options = export::Options {
            width: if target.is_shown() { ui::width() } else { 0 },
            is_raw: target.is_raw,
            metadata: question.metadata(),
            templates: &self.context.templates,
            title: question.title.clone(),
        };
        let written = (|| {
            let mut sink = export::begin(target.format, out, answer.schema(), options)?;
            match export::pour(|| answer.next().map_err(|error| self.advised(error)), sink.as_mut()) {
                Ok(poured) => poured?,
                Err(failure) => return Ok(Err(failure)),
            }
            sink.finish(answer.is_truncated()).map(Ok)
        })();
        let written = match written {
            Ok(done) => done?,
            // Nobody reads any more, which is a normal end.
            Err(error) if error.is_broken_pipe() => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        for note in &written.notes {
            ui::warning(note);
        }
        if let Some(staged) = staged {
            staged.commit()?;
            ui::status(&format!("{} rows in {}", written.rows_n, target.described()));
        }
        Ok(())
    }

    /// Adds what this command offers to a statement that was not answered.
    fn advised(&self, error: Error) -> Failure {
        let is_restricted = self.access == Access::ReadOnly;
        let offer = match &error {
            Error::Memory { .. } if is_restricted => {
                Some("`ragsql sql --unsafe` takes what memory there is".to_owned())
            }
            Error::AdHoc { remedy: Some(remedy), .. } => match remedy {
                Remedy::Value(name) => Some(format!("`ragsql sql --param {name}=VALUE` gives it from outside")),
                Remedy::Rights => Some("`ragsql sql --unsafe` lifts this".to_owned()),
                Remedy::Files => Some("`ragsql export` and `ragsql sql --output FILE` write files".to_owned()),
            },
            _ => None,
        };
        let failure = Failure::from(error);
        match offer {
            Some(offer) => failure.hint(offer),
            None => failure,
        }
    }

    fn limits(&self, target: &Target) -> Limits {
        let is_free = self.access == Access::Unrestricted;
        let rows_max = self.rows_max.or((target.format.is_for_reading() && !is_free).then_some(TABLE_ROWS));
        let usual_s = (!is_free && !target.is_file()).then_some(TIMEOUT_S);
        Limits { rows_max, timeout_s: self.timeout_s.map_or(usual_s, |given_s| (given_s > 0).then_some(given_s)) }
    }
}
