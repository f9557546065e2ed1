//! `ragsql view`: the report and a read-only SQL console in a browser.

use super::context::Context;
use super::import::row_files;
use super::interrupt::Interrupt;
use super::level::level;
use super::report::Material;
use super::{Ended, runtime};
use crate::cli::{Global, ViewArgs};
use crate::error::{Failure, Kind, Result};
use crate::report::page::{About, Pages};
use crate::ui;
use crate::view::{self, Problem, Results};
use crate::warehouse::{AdHoc, Limits, Memory, Table};
use std::path::PathBuf;
use std::sync::Arc;

/// What one statement of the console may cost; the engine's memory is in `sql/engine/console.sql`, the room for what it
/// answers is [`view::ROOM`].
const LIMITS: Limits = Limits { rows_max: Some(10_000), timeout_s: Some(10) };

/// Serves until Ctrl-C or SIGTERM.
pub fn view(context: &Context, arguments: &ViewArgs) -> Result<Ended> {
    let port = arguments.port;
    runtime()?.block_on(async {
        let mut interrupt = Interrupt::listen()?;
        let bound = view::bind(port).await.map_err(|error| {
            let failure = Failure::new(Kind::Outside, format!("cannot listen on 127.0.0.1:{port}: {error}"));
            failure.hint("--port 0 takes any free port")
        })?;
        ui::status(&format!("view      http://{} shows the results; Ctrl-C ends it", bound.address()));
        let results = Arc::new(Project { folder: context.project.clone() });
        let served = bound.serve(results, async move { interrupt.heard().await }).await;
        served.map_err(|error| Failure::new(Kind::Outside, format!("the server ended: {error}")))?;
        Ok(Ended::Done)
    })
}

/// The project, read afresh for every request: its runs go on, and its statements and templates may change.
struct Project {
    folder: PathBuf,
}

impl Project {
    fn with<T>(&self, work: impl FnOnce(&Context) -> Result<T>) -> Result<T, Problem> {
        let opened = Context::open(&Global { project: self.folder.clone(), verbose: 0 });
        let done = opened.and_then(|context| work(&context).map_err(|failure| context.shortened(failure)));
        done.map_err(|Failure { messages, hints, .. }| Problem { messages, hints })
    }
}

impl Results for Project {
    fn pages(&self) -> Result<Pages, Problem> {
        self.with(|context| {
            let own = Some(context.project.join("templates")).filter(|folder| folder.is_dir());
            Ok(Pages::load(own.as_deref())?)
        })
    }

    fn runs(&self) -> Result<Table, Problem> {
        self.with(|context| {
            let material = Material::open(context, None)?;
            match material.has(About::Runs) {
                true => Ok(material.warehouse(About::Runs)?.query("reports/board_runs", &[])?),
                false => Ok(Table::default()),
            }
        })
    }

    fn report(&self, run_id: Option<&str>) -> Result<String, Problem> {
        self.with(|context| {
            let material = Material::open(context, run_id)?;
            material.refuse_without(About::Runs)?;
            material.html(&material.html_page(None)?.clone())
        })
    }

    fn has_published(&self) -> Result<bool, Problem> {
        self.with(|context| Ok(Material::open(context, None)?.has(About::Published)))
    }

    fn published(&self) -> Result<Option<String>, Problem> {
        self.with(|context| {
            let material = Material::open(context, None)?;
            match material.has(About::Published) {
                true => Ok(Some(material.html(&material.html_page(Some("evaluation-results"))?.clone())?)),
                false => Ok(None),
            }
        })
    }

    fn ask(&self, statement: &str) -> Result<(Table, Option<String>), Problem> {
        self.with(|context| {
            let evidence = row_files(&context.results())?;
            if !evidence.is_empty() {
                level(context)?;
            }
            let console =
                AdHoc::open_within(&context.warehouse_file(), &evidence, &context.catalogue, Memory::Console)?;
            Ok((console.answer(statement, LIMITS, view::ROOM)?, console.notice))
        })
    }
}
