//! The verbs: one file each, glue only.
//!
//! Each turns raw arguments into checked values, calls the rooms, and hands what people see to `ui`. No rule lives here.

mod audit;
mod check;
mod compare;
mod context;
mod corpus;
mod dataset;
mod doctor;
mod export;
mod gate;
mod gateway;
mod import;
mod init;
mod interrupt;
mod judge;
mod ladder;
mod level;
mod memory;
mod output;
mod report;
mod rescore;
mod run;
mod runs;
mod schema;
mod sql;
mod summarize;
mod view;

use crate::cli::{Cli, Command};
use crate::error::{Failure, Kind};
use crate::ui;
use context::Context;

pub use memory::return_freed_memory;

/// How a command ended when nothing broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything asked for is done: exit code 0.
    Done,
    /// The work finished, but some of it failed, and it was told: exit code 1.
    WithFailures,
    /// A gate could not decide, and it was told: exit code 4.
    Undecided,
    /// Interrupted on request; the same command goes on: exit code 130.
    Interrupted,
}

impl Ended {
    /// The documented exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::WithFailures => Kind::Finished.exit_code(),
            Self::Undecided => Kind::Undecided.exit_code(),
            Self::Interrupted => Kind::Interrupted.exit_code(),
        }
    }
}

/// Runs one command and returns its exit code (`docs/cli.md`).
pub fn main(cli: Cli) -> u8 {
    start_tracing(cli.global.verbose);
    let context = match Context::open(&cli.global) {
        Ok(context) => context,
        Err(failure) => return told(&failure),
    };
    let ended = carry_out(&context, cli.command).map_err(|failure| context.shortened(failure));
    match ended {
        Ok(ended) => ended.exit_code(),
        Err(failure) => told(&failure),
    }
}

fn told(failure: &Failure) -> u8 {
    ui::failure(failure);
    failure.kind.exit_code()
}

fn carry_out(context: &Context, command: Command) -> Result<Ended, Failure> {
    match command {
        Command::Init(arguments) => init::init(context, &arguments),
        Command::Dataset(arguments) => dataset::dataset(context, &arguments),
        Command::Run(arguments) => run::run(context, &arguments),
        Command::Check(arguments) => check::check(context, &arguments),
        Command::Judge(arguments) => judge::judge(context, &arguments),
        Command::Rescore(arguments) => rescore::rescore(context, &arguments),
        Command::Summarize(arguments) => summarize::summarize(context, &arguments),
        Command::Compare(arguments) => compare::compare(context, &arguments),
        Command::Gate(arguments) => gate::gate(context, &arguments),
        Command::Sql(arguments) => sql::sql(context, &arguments),
        Command::Schema(arguments) => schema::schema(context, &arguments),
        Command::Export(arguments) => export::export(context, &arguments),
        Command::Import(arguments) => import::import(context, &arguments),
        Command::Doctor(arguments) => doctor::doctor(context, &arguments),
        Command::Corpus(arguments) => corpus::corpus(context, &arguments),
        Command::Report(arguments) => report::report(context, &arguments),
        Command::Ladder(arguments) => ladder::ladder(context, &arguments),
        Command::View(arguments) => view::view(context, &arguments),
        Command::Gateway(arguments) => gateway::gateway(context, &arguments),
    }
}

/// Makes empty variables of ours count as unset, all but `JUDGE_THINK` (`contract/evaluation.md` section 0, item 3).
///
/// Must be called first in `main`, before any thread exists.
pub fn forget_empty_variables() {
    let ours = |name: &str| ["MATRIX_", "JUDGE_", "RAGSQL_"].iter().any(|prefix| name.starts_with(prefix));
    let empty: Vec<String> = std::env::vars_os()
        .filter(|(_, value)| value.is_empty())
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| ours(name) && name != "JUDGE_THINK")
        .collect();
    for name in empty {
        // SAFETY: called at the start of `main`, when this thread is the only one.
        unsafe { std::env::remove_var(name) };
    }
}

/// The environment variable, when it is set to something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Makes the asynchronous runtime that a command works in.
fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Kind::Outside, format!("the asynchronous runtime cannot start: {error}")))
}

fn start_tracing(verbose: u8) {
    let level = match verbose {
        0 => return,
        1 => "ragsql=info",
        2 => "ragsql=debug",
        _ => "trace",
    };
    let _ = tracing_subscriber::fmt().with_env_filter(level).with_writer(std::io::stderr).try_init();
}
