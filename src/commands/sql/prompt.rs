//! The prompt: history, completion, statements over several lines, and commands that begin with a point.
//!
//! Opens the database for each statement and closes it again, so that a sitting of hours never stands in the way of a
//! run, and every answer is about what is on disk now.

mod words;

use super::output::Target;
use super::queries::{self, Question};
use super::session::Session;
use crate::commands::Ended;
use crate::commands::import::row_files;
use crate::error::{Failure, Kind, Result};
use crate::report::dictionary;
use crate::ui;
use crate::warehouse::{Access, Warehouse, split};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};
use serde_json::json;
use std::path::PathBuf;
use words::Words;

/// Statements that are remembered.
const HISTORY_LINES: usize = 2000;

/// What became of a line.
enum Next {
    GoOn,
    Quit,
}

/// Asks until there is nothing more to ask.
pub fn ask(session: &Session, target: Target) -> Result<Ended> {
    let failed = |error: ReadlineError| Failure::new(Kind::Outside, format!("the prompt failed: {error}"));
    let config = Config::builder().max_history_size(HISTORY_LINES).map_err(failed)?.auto_add_history(false).build();
    let mut editor: Editor<Words, FileHistory> = Editor::with_config(config).map_err(failed)?;
    editor.set_helper(Some(known_words(session)?));
    let history = history_file(session);
    if let Some(file) = &history {
        // There is none the first time.
        let _ = editor.load_history(file);
    }
    ui::status(&greeting(session)?);
    let mut target = target;
    loop {
        let line = match editor.readline("ragsql> ") {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(failed(error)),
        };
        if line.trim().is_empty() {
            continue;
        }
        // A history that cannot be kept does not stop anybody from asking.
        let _ = editor.add_history_entry(line.trim());
        if let Some(file) = &history {
            let _ = editor.append_history(file);
        }
        session.stopper.forget();
        match carry_out(session, &mut target, line.trim()) {
            Ok(Next::GoOn) => {}
            Ok(Next::Quit) => break,
            Err(failure) => ui::failure(&session.context.shortened(failure)),
        }
    }
    Ok(Ended::Done)
}

fn carry_out(session: &Session, target: &mut Target, line: &str) -> Result<Next> {
    let Some(command) = line.strip_prefix('.') else {
        answer_all(session, target, line)?;
        return Ok(Next::GoOn);
    };
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let rest = rest.trim().trim_end_matches(';');
    let context = session.context;
    match name.trim_end_matches(';') {
        "help" => {
            ui::data(&context.templates.render("terminal/prompt.txt", &json!({}))?);
        }
        "schema" if session.index.is_some() => answer_all(session, target, "show all tables")?,
        "schema" => {
            let view = Some(rest).filter(|view| !view.is_empty());
            let warehouse = Warehouse::in_memory(&context.catalogue)?;
            ui::data(&dictionary::terminal(&warehouse, &context.templates, view, ui::width())?);
        }
        "queries" => {
            ui::data(&queries::listed(context, rest)?);
        }
        "explain" => {
            ui::data(&queries::explained(context, rest)?);
        }
        "format" if rest.is_empty() => ui::status(&format!("format {}", target.described())),
        "format" => *target = target.in_format(rest)?,
        "quit" | "exit" => return Ok(Next::Quit),
        other => {
            return Err(Failure::new(Kind::Input, format!("there is no command `.{other}`"))
                .hint("there are .help, .schema, .queries, .explain, .format and .quit"));
        }
    }
    Ok(Next::GoOn)
}

fn answer_all(session: &Session, target: &Target, text: &str) -> Result<()> {
    let statements = match text.starts_with('@') {
        true => vec![text.trim_end_matches(';')],
        false => split(text).statements,
    };
    for statement in statements {
        let question = Question::read(session.context, statement, &[])?;
        let open = session.open()?;
        if session.answer(&open, &question, target)? == Ended::Interrupted {
            ui::status("stopped");
            break;
        }
    }
    Ok(())
}

/// What is asked, and how it may be asked.
fn greeting(session: &Session) -> Result<String> {
    let access = match session.access {
        Access::ReadOnly => "read-only",
        Access::Unrestricted => "not restricted",
    };
    let about = match &session.index {
        Some(index) => format!("index {}", session.context.shown(index)),
        None => {
            let files_n = row_files(&session.context.results())?.len();
            let open = session.open()?;
            let rows = open.warehouse().query("reports/run_totals", &[])?;
            let rows_n = rows.rows.first().map_or(Ok(0), |row| row.integer("rows_n"))?;
            format!("evidence: {files_n} files, {rows_n} rows, current")
        }
    };
    Ok(format!("{about} · {access} · .help for commands"))
}

/// Everything that can be completed: views and columns, queries, words of SQL, commands.
fn known_words(session: &Session) -> Result<Words> {
    let mut names: Vec<String> = Vec::new();
    match &session.index {
        None => {
            let warehouse = Warehouse::in_memory(&session.context.catalogue)?;
            for row in warehouse.query("reports/dictionary", &[("view", None::<&str>.into())])?.rows {
                names.push(row.text("view")?.to_owned());
                names.push(row.text("column")?.to_owned());
            }
        }
        Some(_) => {
            let open = session.open()?;
            for row in open.warehouse().query("asking/corpus_words", &[])?.rows {
                names.push(row.text("word")?.to_owned());
            }
        }
    }
    Ok(Words::new(names, queries::names(session.context)))
}

/// Where statements are remembered: beside the evidence, or with the person when there is none.
fn history_file(session: &Session) -> Option<PathBuf> {
    let results = session.context.results();
    if results.is_dir() {
        return Some(results.join(".sql-history"));
    }
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")))?.join("ragsql");
    std::fs::create_dir_all(&state).ok()?;
    Some(state.join("sql-history"))
}
