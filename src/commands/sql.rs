//! `ragsql sql`: questions to the evidence, read-only unless asked for otherwise.

mod corpus;
mod output;
mod prompt;
mod queries;
mod session;

use super::Ended;
use super::context::Context;
use super::interrupt::Stopper;
use crate::cli::SqlArgs;
use crate::error::{Failure, Kind, Result};
use crate::ui;
use crate::warehouse::{Access, split};
use output::Target;
use queries::Question;
use session::Session;
use std::io::Read as _;

/// Answers the statements of the command line, of a file, or of stdin; or opens a prompt.
pub fn sql(context: &Context, arguments: &SqlArgs) -> Result<Ended> {
    if let Some(name) = &arguments.explain_query {
        ui::data(&queries::explained(context, name)?);
        return Ok(Ended::Done);
    }
    let parameters = queries::named_values(&arguments.parameters)?;
    let target = Target::choose(context, arguments)?;
    let session = Session {
        context,
        access: if arguments.is_unrestricted { Access::Unrestricted } else { Access::ReadOnly },
        index: corpus::chosen(context, arguments.corpus.as_deref())?,
        rows_max: arguments.rows,
        timeout_s: arguments.timeout_s,
        stopper: Stopper::start()?,
    };
    if arguments.is_unrestricted {
        ui::warning(
            "--unsafe: statements may change the warehouse, read and write files, use the network, and take all memory \
             and time; the evidence files are the truth, do not write to them",
        );
    }
    let Some(text) = given_text(context, arguments)? else { return prompt::ask(&session, target) };
    let texts = match text.trim_start().starts_with('@') {
        true => vec![text.trim().trim_end_matches(';')],
        false => split(&text).statements,
    };
    if texts.len() > 1 && !target.takes_several() {
        let message = format!("there are {} statements, and {} holds the rows of one", texts.len(), target.described());
        return Err(Failure::new(Kind::Input, message).hint("ask them one by one, or as tables"));
    }
    let questions = match texts.is_empty() {
        true => vec![Question::read(context, &text, &parameters)?],
        false => texts.iter().map(|text| Question::read(context, text, &parameters)).collect::<Result<Vec<_>>>()?,
    };
    let open = session.open()?;
    for question in &questions {
        match session.answer(&open, question, &target)? {
            Ended::Done => {}
            ended => return Ok(ended),
        }
    }
    Ok(Ended::Done)
}

/// What was given to answer; nothing when a person is to be asked for it.
fn given_text(context: &Context, arguments: &SqlArgs) -> Result<Option<String>> {
    if let Some(file) = &arguments.file {
        let path = context.path(file);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::new(Kind::Input, format!("cannot read `{}`: {error}", context.shown(&path))))?;
        // A byte order mark belongs to the file, not to the statement.
        return Ok(Some(text.trim_start_matches('\u{feff}').to_owned()));
    }
    match arguments.statement.as_deref() {
        Some(text) if text != "-" => Ok(Some(text.to_owned())),
        None if ui::is_asked_by_a_person() => Ok(None),
        _ => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|error| Failure::new(Kind::Input, format!("cannot read stdin: {error}")))?;
            Ok(Some(text.trim_start_matches('\u{feff}').to_owned()))
        }
    }
}
