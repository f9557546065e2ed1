//! `ragsql export`: the evidence as files for notebooks and other tools.
//!
//! Which rows and columns a table has is a query under `sql/exports`; a project adds a table by adding a file there.

mod evidence;
mod partition;
mod rows;

use super::Ended;
use super::context::Context;
use super::import::row_files;
use super::interrupt::Stopper;
use super::level::level;
use super::output::Staged;
use crate::cli::ExportArgs;
use crate::error::{Failure, Kind, Result};
use crate::export::{self, Format, Written};
use crate::ui;
use crate::warehouse::catalogue::Query;
use crate::warehouse::{self, AdHoc, Memory};
use partition::{Keys, Part};
use rows::Rows;
use std::path::{Path, PathBuf};

/// Version of the layout of exported files; a change that breaks readers raises it.
const LAYOUT_VERSION: &str = "1";
const FOLDER: &str = "exports";

/// Writes the tables.
pub fn export(context: &Context, arguments: &ExportArgs) -> Result<Ended> {
    let tables = chosen(context, &arguments.tables)?;
    let place = Place::read(context, arguments, &tables)?;
    let stopper = Stopper::start()?;
    let evidence = row_files(&context.results())?;
    if !evidence.is_empty() {
        // A warehouse that somebody else holds is read past below.
        level(context)?;
    }
    let opened = |memory| AdHoc::open_within(&context.warehouse_file(), &evidence, &context.catalogue, memory);
    match write(context, arguments, &tables, &place, &stopper, &opened) {
        Err(_) if stopper.is_heard() => {
            ui::status("stopped; files that were whole are kept");
            Ok(Ended::Interrupted)
        }
        other => other.map(|()| Ended::Done),
    }
}

/// Writes every table. One whose rows are too long for the usual memory is written again with more, and it alone.
fn write<'a>(
    context: &Context,
    arguments: &ExportArgs,
    tables: &[&Query],
    place: &Place,
    stopper: &Stopper,
    opened: &dyn Fn(Memory) -> Result<AdHoc<'a>, warehouse::Error>,
) -> Result<()> {
    let mut open = opened(Memory::Exporting)?;
    if let Some(notice) = &open.notice {
        ui::warning(notice);
    }
    let export = Export {
        context,
        format: place.format,
        is_raw: arguments.raw,
        runs: partition::json_list(&known_runs(&open, &arguments.runs)?),
        evidence: evidence::hashed(&open, context)?,
        stopper,
    };
    for table in tables {
        let written = export.write(&open, table, place);
        if !written.as_ref().is_err_and(|failure| failure.kind == Kind::Memory) {
            written?;
            continue;
        }
        tracing::info!(table = name_of(table), "its rows are long; it is written again with more memory");
        drop(open);
        export.write(&opened(Memory::Pages)?, table, place)?;
        open = opened(Memory::Exporting)?;
    }
    Ok(())
}

/// The tables asked for, or all there are.
fn chosen<'a>(context: &'a Context, names: &[String]) -> Result<Vec<&'a Query>> {
    let all = context.catalogue.folder(FOLDER);
    if names.is_empty() {
        return Ok(all);
    }
    let known: Vec<&str> = all.iter().map(|query| name_of(query)).collect();
    let find = |name: &String| {
        let found = all.iter().find(|query| name_of(query) == name);
        found.copied().ok_or_else(|| {
            Failure::new(Kind::Input, format!("there is no table `{name}` to export"))
                .hint(format!("there are {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

fn name_of(query: &Query) -> &str {
    query.name.rsplit('/').next().unwrap_or_default()
}

/// The runs asked for; each must exist.
fn known_runs(open: &AdHoc, wanted: &[String]) -> Result<Vec<String>> {
    let found = open.warehouse().query("asking/partitions", &[])?;
    let mut known: Vec<&str> = found.rows.iter().map(|row| row.text("run_id")).collect::<Result<_, _>>()?;
    known.sort_unstable();
    known.dedup();
    match wanted.iter().find(|run| !known.contains(&run.as_str())) {
        None => Ok(wanted.to_vec()),
        Some(missing) => {
            let failure = Failure::new(Kind::Input, format!("there is no run `{missing}`"));
            Err(match known.is_empty() {
                true => failure.hint("`ragsql run` makes one"),
                false => failure.hint(format!("runs there are: {}", known.join(", "))),
            })
        }
    }
}

/// Where files go.
struct Place {
    format: Format,
    path: PathBuf,
    /// The path is the file of the only table.
    is_file: bool,
    keys: Option<Keys>,
}

impl Place {
    fn read(context: &Context, arguments: &ExportArgs, tables: &[&Query]) -> Result<Self> {
        let path = context.path(&arguments.output);
        let by_ending = Format::of_file(&path).filter(|_| !path.is_dir());
        let format = match (&arguments.format, by_ending) {
            (Some(name), _) => Format::named(name)?,
            (None, Some(format)) => format,
            (None, None) => Format::Parquet,
        };
        if !matches!(format, Format::Parquet | Format::Arrow | Format::Csv | Format::Jsonl) {
            let message = format!("`{}` is no format to export to", format.ending());
            return Err(Failure::new(Kind::Input, message).hint("there are parquet, arrow, csv and jsonl"));
        }
        if let Some(other) = by_ending.filter(|other| *other != format) {
            let (shown, other, format) = (context.shown(&path), other.ending(), format.ending());
            return Err(Failure::new(Kind::Input, format!("`{shown}` is called {other}, and --format says {format}"))
                .hint("leave one of them out, or give a folder"));
        }
        let is_file = by_ending.is_some();
        if is_file && tables.len() != 1 {
            let names: Vec<&str> = tables.iter().map(|table| name_of(table)).collect();
            return Err(Failure::new(Kind::Input, format!("`{}` holds one table", context.shown(&path)))
                .hint(format!("name one of {}, or give a folder", names.join(", "))));
        }
        let keys = Keys::named(&arguments.partition);
        if is_file && keys.is_some() {
            return Err(Failure::new(Kind::Input, "--partition lays out folders, and --output names a file"));
        }
        Ok(Self { format, path, is_file, keys })
    }

    fn file(&self, table: &Query) -> PathBuf {
        match self.is_file {
            true => self.path.clone(),
            false => self.path.join(format!("{}.{}", name_of(table), self.format.ending())),
        }
    }
}

/// What all tables of one command share.
struct Export<'a> {
    context: &'a Context,
    format: Format,
    is_raw: bool,
    runs: Option<String>,
    /// Name, size and hash of each evidence file, as JSON.
    evidence: String,
    stopper: &'a Stopper,
}

impl Export<'_> {
    fn write(&self, open: &AdHoc, table: &Query, place: &Place) -> Result<()> {
        let _watched = self.stopper.watch(open.interrupt_handle());
        if self.stopper.is_heard() {
            return Err(Failure::new(Kind::Interrupted, "stopped"));
        }
        match &place.keys {
            Some(keys) if partition::has_parts(table)? => self.write_parts(open, table, keys, &place.path),
            _ => self.write_table(open, table, &place.file(table)),
        }
    }

    fn write_table(&self, open: &AdHoc, table: &Query, path: &Path) -> Result<()> {
        let part = Part { runs: self.runs.clone(), dataset_id: None };
        self.tell(table, &self.write_file(open, table, &part, path)?, path);
        Ok(())
    }

    /// Writes a folder of folders, which takes its place as a whole.
    fn write_parts(&self, open: &AdHoc, table: &Query, keys: &Keys, folder: &Path) -> Result<()> {
        let target = folder.join(name_of(table));
        let staged = partition::Folder::create(&target)?;
        let mut all = Written::default();
        for (path, part) in keys.parts(open, self.runs.as_deref())? {
            let file = staged.path().join(path).join(format!("data.{}", self.format.ending()));
            let written = self.write_file(open, table, &part, &file)?;
            all.rows_n += written.rows_n;
            all.notes.extend(written.notes);
        }
        staged.commit()?;
        self.tell(table, &all, &target);
        Ok(())
    }

    fn write_file(&self, open: &AdHoc, table: &Query, part: &Part, path: &Path) -> Result<Written> {
        let staged = Staged::create(path)?;
        let mut rows = Rows::begin(open, table, part, self.stopper)?;
        let options = export::Options {
            width: 0,
            is_raw: self.is_raw,
            metadata: self.metadata(table),
            templates: &self.context.templates,
            title: table.full_name(),
        };
        let mut sink = export::begin(self.format, staged.writer()?, rows.schema(), options)?;
        export::pour(|| rows.next(), sink.as_mut())??;
        let written = sink.finish(false)?;
        staged.commit()?;
        Ok(written)
    }

    fn metadata(&self, table: &Query) -> Vec<(String, String)> {
        let pairs = [
            ("ragsql.version", env!("CARGO_PKG_VERSION")),
            ("ragsql.layout_version", LAYOUT_VERSION),
            ("ragsql.query", &table.full_name()),
            ("ragsql.query_sha256", &table.sha256),
            ("ragsql.runs", self.runs.as_deref().unwrap_or("null")),
            ("ragsql.evidence", &self.evidence),
        ];
        pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).into()
    }

    fn tell(&self, table: &Query, written: &Written, path: &Path) {
        ui::status(&format!("{:<16}{} rows in {}", name_of(table), written.rows_n, self.context.shown(path)));
        for note in &written.notes {
            ui::warning(&format!("{}: {note}", name_of(table)));
        }
    }
}
