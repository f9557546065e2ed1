//! Evidence files into base tables, as far as they grew.
//!
//! Reads the new bytes of each file and writes its rows in one transaction. When the bytes that were read before have
//! changed, the file's rows are forgotten and read again. Never writes to evidence.

use super::batch::{Batch, BatchBuilder};
use super::connection::{Parameter, Warehouse};
use super::lines::{self, Stretch, Stretches, Tail};
use super::reader::read_row;
use super::{Error, Result, Row};
use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

/// Bytes that are parsed together; a longer line makes a longer stretch.
const STRETCH_BYTES: usize = 2 << 20;
/// Bytes that are appended together.
const APPEND_BYTES: usize = 8 << 20;
/// Bytes of evidence in one transaction. DuckDB keeps memory for every append until its transaction ends, and writes the
/// last row group of every table anew after each, so portions are neither endless nor small.
const PORTION_BYTES: u64 = 128 << 20;
/// Threads that parse; DuckDB has the rest of the machine.
const PARSERS_N: usize = 2;
/// Bytes of each end of the known part whose hash tells a changed file from a grown one.
const PROBE_BYTES: u64 = 4096;

/// How much of a row is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Everything, so that no field is lost to SQL.
    Everything,
    /// What summaries need: no answers, no whole rows.
    Numbers,
}

/// What reading one file did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Ingested {
    /// Rows added.
    pub rows_n: u64,
    /// Whether rows read earlier were forgotten, because the file had changed under them.
    pub is_rebuilt: bool,
    /// Top-level keys that the contract does not know; kept in the whole row, never renamed.
    pub unknown_keys: BTreeSet<String>,
}

/// How a file is known: its absolute path as text.
pub fn file_key(path: &Path) -> String {
    let absolute = path.canonicalize().or_else(|_| std::path::absolute(path));
    absolute.unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}

impl Warehouse<'_> {
    /// Brings the rows of one evidence file up to date with the file.
    ///
    /// A missing file has no rows, unless [`Tail::Take`] says that it is finished. A long file is taken in portions of
    /// [`PORTION_BYTES`], each in one transaction: the first bad line, a repeated identity or a failing write undoes
    /// its portion, and whole portions before it stay.
    pub fn ingest_evidence(&self, path: &Path, tail: Tail, keep: Keep) -> Result<Ingested> {
        let mut ingested = Ingested::default();
        loop {
            let portion = self.ingest_portion(path, tail, keep)?;
            ingested.rows_n += portion.ingested.rows_n;
            ingested.is_rebuilt |= portion.ingested.is_rebuilt;
            ingested.unknown_keys.extend(portion.ingested.unknown_keys);
            if portion.is_last {
                return Ok(ingested);
            }
        }
    }

    fn ingest_portion(&self, path: &Path, tail: Tail, keep: Keep) -> Result<Portion> {
        let key = file_key(path);
        let known = self.known_file(&key)?;
        let unreadable = |source| Error::File { action: "read", path: path.to_owned(), source };
        if tail == Tail::Take && !path.exists() {
            return Err(unreadable(std::io::ErrorKind::NotFound.into()));
        }
        let mut start = Position::default();
        if let Some(known) = &known {
            if probe(path, known.position.bytes).map_err(unreadable)? == Some(known.probe.clone()) {
                start = known.position;
            }
            let is_same_size = std::fs::metadata(path).is_ok_and(|found| found.len() == start.bytes);
            if start.bytes > 0 && is_same_size {
                return Ok(Portion::nothing());
            }
        } else if !path.exists() {
            return Ok(Portion::nothing());
        }
        self.transaction(|| {
            let file_id = match &known {
                Some(known) => known.file_id,
                None => self.next_file_id()?,
            };
            let is_rebuilt = known.as_ref().is_some_and(|known| known.position.bytes > 0) && start.bytes == 0;
            match is_rebuilt {
                true => self.forget_file(file_id)?,
                false => self.run_with_file("ingest/remove/file", file_id)?,
            }
            let mut ingested = Ingested { is_rebuilt, ..Ingested::default() };
            if !path.exists() {
                return Ok(Portion { ingested, is_last: true });
            }
            let (end, is_last) = self.append_from(path, file_id, start, tail, keep, &mut ingested)?;
            self.refuse_duplicates(path, file_id, start.lines)?;
            let probe = probe(path, end.bytes).map_err(unreadable)?.unwrap_or_default();
            self.record_file(file_id, &key, "evidence", end, &probe)?;
            Ok(Portion { ingested, is_last })
        })
    }

    /// Appends one portion; says where it ended, and whether the file has no more whole lines.
    fn append_from(
        &self,
        path: &Path,
        file_id: i32,
        start: Position,
        tail: Tail,
        keep: Keep,
        ingested: &mut Ingested,
    ) -> Result<(Position, bool)> {
        let unreadable = |source| Error::File { action: "read", path: path.to_owned(), source };
        let mut stretches = Stretches::open(path, start.bytes, start.lines, tail, STRETCH_BYTES).map_err(unreadable)?;
        let (stretch_sender, stretch_receiver) = sync_channel::<Stretch>(1);
        let (batch_sender, batch_receiver) = sync_channel::<Result<Parsed, BadLine>>(1);
        let stretch_receiver = &Mutex::new(stretch_receiver);
        std::thread::scope(|scope| {
            for _ in 0..PARSERS_N {
                let batch_sender = batch_sender.clone();
                scope.spawn(move || parse_all(stretch_receiver, &batch_sender, file_id, keep));
            }
            drop(batch_sender);
            let reading = scope.spawn(move || -> std::io::Result<(Position, bool)> {
                let mut is_last = false;
                while stretches.position().0 - start.bytes < PORTION_BYTES {
                    let Some(stretch) = stretches.next()? else {
                        is_last = true;
                        break;
                    };
                    // Nobody takes stretches any more once a parser has failed.
                    if stretch_sender.send(stretch).is_err() {
                        break;
                    }
                }
                let (bytes, lines) = stretches.position();
                Ok((Position { bytes, lines }, is_last))
            });
            let mut bad: Option<BadLine> = None;
            let mut failed = None;
            let mut waiting = Waiting::default();
            for parsed in batch_receiver {
                match parsed {
                    Ok(parsed) if bad.is_none() && failed.is_none() => {
                        ingested.rows_n += parsed.batch.cells.num_rows() as u64;
                        ingested.unknown_keys.extend(parsed.unknown_keys);
                        failed = waiting.add(parsed.batch).map_or(Ok(()), |ready| self.append_batch(ready)).err();
                    }
                    Ok(_) => {}
                    // Parsers finish out of order; the first bad line of the file is the one to tell.
                    Err(found) if bad.as_ref().is_none_or(|bad| found.line < bad.line) => bad = Some(found),
                    Err(_) => {}
                }
            }
            let end = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            match (bad, failed) {
                (Some(bad), _) => Err(Error::Row { path: path.to_owned(), line: bad.line, reason: bad.reason }),
                (None, Some(failed)) => Err(failed),
                (None, None) => {
                    self.append_batch(waiting)?;
                    end.map_err(unreadable)
                }
            }
        })
    }

    fn append_batch(&self, ready: Waiting) -> Result<()> {
        let tables =
            [("cell", ready.cells), ("score", ready.scores), ("source_title", ready.titles), ("body", ready.bodies)];
        for (table, batches) in tables {
            let Some(first) = batches.first() else { continue };
            let batch = concat_batches(&first.schema(), &batches)
                .map_err(|error| Error::Statement { query: format!("append to {table}"), reason: error.to_string() })?;
            self.append(table, batch)?;
        }
        Ok(())
    }

    fn refuse_duplicates(&self, path: &Path, file_id: i32, after_line: u64) -> Result<()> {
        let values = [("file_id", i64::from(file_id).into()), ("after_line", Parameter::Integer(after_line as i64))];
        let found = self.query("ingest/duplicate_rows", &values)?;
        let Some(row) = found.rows.first() else { return Ok(()) };
        Err(Error::Repeated {
            path: path.to_owned(),
            line: u64::try_from(row.integer("line")?).unwrap_or(0),
            row_id: row.text("row_id")?.to_owned(),
            other: row.text_or_null("other_path")?.map(PathBuf::from),
            other_line: u64::try_from(row.integer("other_line")?).unwrap_or(0),
        })
    }

    /// Forgets everything read from a file.
    pub(super) fn forget_file(&self, file_id: i32) -> Result<()> {
        let statements: Vec<String> =
            self.catalogue().folder("ingest/remove").iter().map(|query| query.name.clone()).collect();
        statements.iter().try_for_each(|name| self.run_with_file(name, file_id))
    }

    fn run_with_file(&self, name: &str, file_id: i32) -> Result<()> {
        self.query(name, &[("file_id", i64::from(file_id).into())]).map(|_| ())
    }

    /// The number a new file gets.
    pub(super) fn next_file_id(&self) -> Result<i32> {
        Ok(self.known_files()?.last().map_or(0, |(_, last)| last.file_id) + 1)
    }

    /// What is known of a file, by its key.
    pub(super) fn known_file(&self, key: &str) -> Result<Option<KnownFile>> {
        Ok(self.known_files()?.into_iter().find(|(path, _)| path == key).map(|(_, known)| known))
    }

    /// Every file that was read, by its key.
    pub(super) fn known_files(&self) -> Result<Vec<(String, KnownFile)>> {
        let known = self.query("ingest/known_files", &[])?;
        let file = |row: &Row| {
            let bytes = |column| Ok(u64::try_from(row.integer(column)?).unwrap_or(0));
            let known = KnownFile {
                file_id: i32::try_from(row.integer("file_id")?).unwrap_or(0),
                position: Position { bytes: bytes("size_bytes")?, lines: bytes("lines_n")? },
                probe: Probe {
                    head_sha256: row.text("head_sha256")?.to_owned(),
                    tail_sha256: row.text("tail_sha256")?.to_owned(),
                },
            };
            Ok((row.text("path")?.to_owned(), known))
        };
        known.rows.iter().map(file).collect()
    }

    /// Notes how far a file was read.
    pub(super) fn record_file(&self, file_id: i32, key: &str, kind: &str, end: Position, probe: &Probe) -> Result<()> {
        let values = [
            ("file_id", i64::from(file_id).into()),
            ("path", key.into()),
            ("kind", kind.into()),
            ("size_bytes", Parameter::Integer(end.bytes as i64)),
            ("lines_n", Parameter::Integer(end.lines as i64)),
            ("head_sha256", probe.head_sha256.as_str().into()),
            ("tail_sha256", probe.tail_sha256.as_str().into()),
        ];
        self.query("ingest/record_file", &values).map(|_| ())
    }
}

/// What one transaction took in.
struct Portion {
    ingested: Ingested,
    /// Whether no whole line was left in the file.
    is_last: bool,
}

impl Portion {
    fn nothing() -> Self {
        Self { ingested: Ingested::default(), is_last: true }
    }
}

/// How far a file was read.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub bytes: u64,
    pub lines: u64,
}

/// What `store.file` says about a file.
#[derive(Debug)]
pub(super) struct KnownFile {
    pub file_id: i32,
    pub position: Position,
    pub probe: Probe,
}

/// Hashes of both ends of the part that was read.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Probe {
    pub head_sha256: String,
    pub tail_sha256: String,
}

/// Hashes both ends of the first `bytes` bytes of a file; nothing when the file is missing or shorter.
pub(super) fn probe(path: &Path, bytes: u64) -> std::io::Result<Option<Probe>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if file.metadata()?.len() < bytes {
        return Ok(None);
    }
    let mut end_hash = |offset: u64| -> std::io::Result<String> {
        file.seek(SeekFrom::Start(offset))?;
        let mut part = Vec::new();
        (&mut file).take(PROBE_BYTES.min(bytes)).read_to_end(&mut part)?;
        Ok(Sha256::digest(&part).iter().map(|byte| format!("{byte:02x}")).collect())
    };
    Ok(Some(Probe { head_sha256: end_hash(0)?, tail_sha256: end_hash(bytes.saturating_sub(PROBE_BYTES))? }))
}

/// Batches that wait for others: every append costs DuckDB memory for each column until the transaction ends, so a few
/// large ones are much cheaper than many small ones.
#[derive(Default)]
struct Waiting {
    cells: Vec<RecordBatch>,
    scores: Vec<RecordBatch>,
    titles: Vec<RecordBatch>,
    bodies: Vec<RecordBatch>,
    size_bytes: usize,
}

impl Waiting {
    /// Adds a batch; returns everything that waited once it is large enough.
    fn add(&mut self, batch: Batch) -> Option<Self> {
        self.size_bytes += batch.size_bytes;
        self.cells.push(batch.cells);
        self.scores.push(batch.scores);
        self.titles.push(batch.titles);
        self.bodies.extend(batch.bodies);
        (self.size_bytes >= APPEND_BYTES).then(|| std::mem::take(self))
    }
}

struct Parsed {
    batch: Batch,
    unknown_keys: Vec<String>,
}

struct BadLine {
    line: u64,
    reason: String,
}

fn parse_all(
    stretches: &Mutex<Receiver<Stretch>>,
    batches: &SyncSender<Result<Parsed, BadLine>>,
    file_id: i32,
    keep: Keep,
) {
    loop {
        let next = stretches.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(stretch) = next else { return };
        if batches.send(parse(&stretch, file_id, keep)).is_err() {
            return;
        }
    }
}

fn parse(stretch: &Stretch, file_id: i32, keep: Keep) -> Result<Parsed, BadLine> {
    let mut builder = BatchBuilder::new(file_id, keep == Keep::Everything);
    let mut unknown_keys = Vec::new();
    for (line, bytes) in lines::numbered(stretch) {
        let bad = |reason: String| BadLine { line, reason };
        let text = std::str::from_utf8(bytes).map_err(|error| bad(format!("is not UTF-8: {error}")))?;
        if line == 1 && text.starts_with('\u{feff}') {
            return Err(bad("begins with a byte order mark".to_owned()));
        }
        let mut row = read_row(text).map_err(bad)?;
        unknown_keys.append(&mut row.unknown_keys);
        builder.add(i64::try_from(line).unwrap_or(i64::MAX), text, &row);
    }
    let batch =
        builder.finish().map_err(|error| BadLine { line: stretch.lines_before + 1, reason: error.to_string() })?;
    Ok(Parsed { batch, unknown_keys })
}
