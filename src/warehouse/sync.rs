//! The warehouse file kept level with evidence files.
//!
//! Reads evidence, writes the database: open, bring every file up to date, close. A busy database is an error to retry
//! later, never a reason to stop a run.

use super::catalogue::Catalogue;
use super::connection::{Parameter, Warehouse};
use super::ingest::{Ingested, Keep, probe};
use super::lines::Tail;
use super::memory::Memory;
use super::{Error, Result, file_key};
use std::path::{Path, PathBuf};

/// What became of each file.
#[derive(Debug)]
pub struct Synced {
    /// In the order asked for. A file that cannot be read keeps the rows it had; the others are not affected.
    pub files: Vec<(PathBuf, Result<Ingested>)>,
}

/// Brings the rows of `evidence` in the database at `database` up to date, and closes it again.
///
/// [`Error::Busy`] when another process has it open: nothing happened, try later. The bytes behind the last LF of a
/// file are left for the next time.
///
/// Memory is bounded, unless rows are too large for that bound: then what is not read yet is read with [`Memory::Roomy`].
pub fn sync(database: &Path, evidence: &[PathBuf], catalogue: &Catalogue) -> Result<Synced> {
    let synced = Warehouse::open(database, catalogue).and_then(|warehouse| warehouse.sync(evidence));
    let is_too_large = match &synced {
        Ok(synced) => synced.files.iter().any(|(_, result)| result.as_ref().is_err_and(Error::is_out_of_memory)),
        Err(error) => error.is_out_of_memory(),
    };
    match is_too_large {
        true => Warehouse::open_within(database, catalogue, Memory::Roomy)?.sync(evidence),
        false => synced,
    }
}

/// Like [`sync`] with little memory, while a run goes on. Rows that are too large for it wait for the next [`sync`].
pub fn sync_beside_a_run(database: &Path, evidence: &[PathBuf], catalogue: &Catalogue) -> Result<Synced> {
    Warehouse::open_within(database, catalogue, Memory::BesideARun)?.sync(evidence)
}

/// Loads finished files into the database at `database`, then runs every check; one failing check undoes nothing, but
/// is an error that names its first row.
///
/// Unlike [`sync`], the last line may lack its LF, and the first file that cannot be read ends the import.
pub fn import(
    database: &Path,
    evidence: &[PathBuf],
    judgments: &[PathBuf],
    catalogue: &Catalogue,
) -> Result<Vec<(PathBuf, Ingested)>> {
    let imported = Warehouse::open(database, catalogue).and_then(|warehouse| warehouse.import(evidence, judgments));
    match imported {
        Err(error) if error.is_out_of_memory() => {
            Warehouse::open_within(database, catalogue, Memory::Roomy)?.import(evidence, judgments)
        }
        imported => imported,
    }
}

impl Warehouse<'_> {
    fn sync(&self, evidence: &[PathBuf]) -> Result<Synced> {
        self.follow_moved_files(evidence)?;
        self.forget_missing_files()?;
        let ingest = |path: &PathBuf| (path.clone(), self.ingest_evidence(path, Tail::Wait, Keep::Everything));
        Ok(Synced { files: evidence.iter().map(ingest).collect() })
    }

    fn import(&self, evidence: &[PathBuf], judgments: &[PathBuf]) -> Result<Vec<(PathBuf, Ingested)>> {
        self.follow_moved_files(evidence)?;
        self.forget_missing_files()?;
        let mut imported = Vec::new();
        for path in evidence {
            imported.push((path.clone(), self.ingest_evidence(path, Tail::Take, Keep::Everything)?));
        }
        for path in judgments {
            let read = self.ingest_judgments(path, self.judged_run(path)?.as_deref())?;
            if let Some(reason) = read.read_problem.or(read.queries_problem) {
                return Err(Error::Judgments { path: path.clone(), reason });
            }
        }
        self.run_checks()?;
        Ok(imported)
    }

    /// Runs every statement of `sql/checks`; the first that returns rows is the error.
    pub fn run_checks(&self) -> Result<()> {
        for check in self.catalogue().folder("checks") {
            let found = self.run(check, &[])?;
            if let Some(row) = found.rows.first() {
                let pairs = found.columns.iter().zip(&row.values);
                let first = pairs.map(|(column, value)| format!("{column} {value}")).collect::<Vec<_>>().join(", ");
                return Err(Error::Check { check: check.full_name(), rows_n: found.rows.len(), first });
            }
        }
        Ok(())
    }

    /// Whether the rows of all these files are those on disk.
    pub(super) fn is_current(&self, evidence: &[PathBuf]) -> Result<bool> {
        for path in evidence {
            let known = self.known_file(&file_key(path))?;
            let size = std::fs::metadata(path).map(|found| found.len()).ok();
            let is_current = match (known, size) {
                (Some(known), Some(size)) => {
                    let found = probe(path, known.position.bytes).ok().flatten();
                    known.position.bytes == size && found == Some(known.probe)
                }
                (None, None | Some(0)) => true,
                _ => false,
            };
            if !is_current {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The run that a judgments file judges: that of the evidence file it is named after, once its rows are here.
    pub fn judged_run(&self, judgments: &Path) -> Result<Option<String>> {
        let name = judgments.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.strip_suffix("-judgments.json").unwrap_or_default();
        for evidence in [format!("{stem}.jsonl"), format!("{stem}-evidence.jsonl")] {
            let path = file_key(&judgments.with_file_name(evidence));
            if let Some(row) = self.query("ingest/run_of_file", &[("path", path.as_str().into())])?.rows.first() {
                return Ok(Some(row.text("run_id")?.to_owned()));
            }
        }
        Ok(None)
    }

    /// Follows files to where they are now, when a project was moved or copied together with its warehouse.
    ///
    /// A file that is not known, but begins with the bytes of a known file of the same name elsewhere, takes the place of
    /// that one, and so do the panel's files beside it. Otherwise a copy would stand in the way of itself.
    fn follow_moved_files(&self, evidence: &[PathBuf]) -> Result<()> {
        let known = self.known_files()?;
        for path in evidence {
            let key = file_key(path);
            if known.iter().any(|(there, _)| *there == key) {
                continue;
            }
            let is_asked_for = |other: &str| evidence.iter().any(|path| file_key(path) == other);
            let before = known.iter().filter(|(there, _)| Path::new(there).file_name() == path.file_name());
            let found = before.filter(|(there, _)| !is_asked_for(there)).find(|(_, file)| {
                file.position.bytes > 0
                    && probe(path, file.position.bytes).ok().flatten().is_some_and(|found| found == file.probe)
            });
            let Some((there, _)) = found else { continue };
            let (from, to) = (Path::new(there), Path::new(&key));
            let stem = from.file_stem().unwrap_or_default().to_string_lossy();
            let beside = |other: &Path| {
                let rest = other.file_name().and_then(|name| name.to_str()?.strip_prefix(&*stem));
                other.parent() == from.parent() && rest.is_some_and(|rest| rest.starts_with(['.', '-']))
            };
            self.transaction(|| {
                for (other, file) in known.iter().filter(|(other, _)| beside(Path::new(other))) {
                    let now = to.with_file_name(Path::new(other).file_name().unwrap_or_default());
                    let values =
                        [("file_id", i64::from(file.file_id).into()), ("path", now.to_string_lossy().as_ref().into())];
                    self.query("ingest/move_file", &values)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Forgets the rows of files that are gone.
    fn forget_missing_files(&self) -> Result<()> {
        for (_, file) in self.known_files()?.iter().filter(|(path, _)| !Path::new(path).exists()) {
            self.transaction(|| self.forget_file(file.file_id))?;
        }
        Ok(())
    }

    /// The evidence files whose rows are here, as keys.
    pub fn source_files(&self) -> Result<Vec<String>> {
        let known = self.query("ingest/known_files", &[])?;
        let evidence = known.rows.iter().filter(|row| row.text("kind").is_ok_and(|kind| kind == "evidence"));
        evidence.map(|row| Ok(row.text("path")?.to_owned())).collect()
    }

    /// Runs a statement for one evidence file.
    pub fn query_file(&self, name: &str, source_file: &Path) -> Result<super::Table> {
        self.query(name, &[("source_file", Parameter::Text(file_key(source_file)))])
    }
}
