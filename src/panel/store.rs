//! The sidecar: every verdict durable on arrival, appended and never edited.
//!
//! Reads and writes one JSON Lines file under a kernel lock. A line counts once its newline is on disk; what a killed
//! process left behind the last newline is moved to `<file>.torn` and judged again. Verdicts that arrive together share
//! one write and one fsync. A damaged whole line is an error, never skipped.

use super::error::StoreError;
use super::verdict::{SCHEMA_VERSION, Verdict};
use crate::json;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// An open sidecar.
pub struct Store {
    path: PathBuf,
    /// Null only while the store is dropped.
    lines: Option<Sender<Pending>>,
    writer: Option<JoinHandle<()>>,
}

struct Pending {
    line: String,
    done: oneshot::Sender<std::io::Result<()>>,
}

impl Store {
    /// The sidecar beside a judgments file: `x-judgments.json` gives `x-judgments.verdicts.jsonl`.
    pub fn beside(judgments: &Path) -> PathBuf {
        judgments.with_extension("verdicts.jsonl")
    }

    /// Opens or creates the sidecar, locks it until the store is dropped, and returns what it holds.
    ///
    /// The texts of replies are left on disk.
    pub fn open(path: &Path) -> Result<(Self, Vec<Verdict>), StoreError> {
        let failed = |doing| move |source| StoreError::Io { doing, path: path.to_owned(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(failed("create the folder of"))?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed("open"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(failed("lock")(source)),
        }
        let (verdicts, whole_bytes) = read_lines(&file, path)?;
        set_torn_tail_aside(&mut file, path, whole_bytes).map_err(failed("repair the end of"))?;
        sync_folder(path).map_err(failed("sync the folder of"))?;
        let (lines, pending) = channel();
        let writer = std::thread::Builder::new()
            .name("verdicts".to_owned())
            .spawn(move || write_batches(file, &pending))
            .map_err(failed("start the writer of"))?;
        Ok((Self { path: path.to_owned(), lines: Some(lines), writer: Some(writer) }, verdicts))
    }

    /// Appends a verdict; returns when it is on disk.
    pub async fn append(&self, verdict: &Verdict) -> Result<(), StoreError> {
        let failed = |source| StoreError::Io { doing: "write", path: self.path.clone(), source };
        let value = serde_json::to_value(verdict).map_err(|error| failed(error.into()))?;
        let mut line = json::compact(&value).map_err(|error| failed(std::io::Error::other(error)))?;
        line.push('\n');
        let lost = || StoreError::Lost { judge: verdict.judge.clone(), question: verdict.question_id.clone() };
        let (done, written) = oneshot::channel();
        self.lines.as_ref().ok_or_else(lost)?.send(Pending { line, done }).map_err(|_| lost())?;
        written.await.map_err(|_| lost())?.map_err(failed)
    }
}

impl Drop for Store {
    /// Waits for the writer, so that the file is complete and unlocked afterwards.
    fn drop(&mut self) {
        self.lines = None;
        if let Some(writer) = self.writer.take() {
            // A panic of the writer has shown itself as a lost verdict already.
            let _ = writer.join();
        }
    }
}

/// Writes what is waiting in one go; ends at the first failure, so nothing follows a half-written line.
fn write_batches(mut file: File, pending: &Receiver<Pending>) {
    while let Ok(first) = pending.recv() {
        let batch: Vec<Pending> = std::iter::once(first).chain(pending.try_iter()).collect();
        let text: String = batch.iter().map(|entry| entry.line.as_str()).collect();
        let result = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
        let failure = result.as_ref().err().map(|error| (error.kind(), error.to_string()));
        for entry in batch {
            let outcome = match &failure {
                None => Ok(()),
                Some((kind, text)) => Err(std::io::Error::new(*kind, text.clone())),
            };
            // Whoever waited may have been cancelled; the line is on disk all the same.
            let _ = entry.done.send(outcome);
        }
        if failure.is_some() {
            return;
        }
    }
}

/// Reads the whole lines; returns the verdicts and where the last whole line ends.
fn read_lines(file: &File, path: &Path) -> Result<(Vec<Verdict>, u64), StoreError> {
    let mut reader = BufReader::new(file);
    let mut verdicts = Vec::new();
    let mut whole_bytes = 0;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).map_err(|source| StoreError::Io {
            doing: "read",
            path: path.to_owned(),
            source,
        })?;
        if length == 0 || line.last() != Some(&b'\n') {
            break;
        }
        let damaged = |reason: String| StoreError::Damaged { path: path.to_owned(), line: number, reason };
        verdicts.push(decode(&line).map_err(damaged)?.without_texts());
        whole_bytes += length as u64;
    }
    Ok((verdicts, whole_bytes))
}

fn decode(line: &[u8]) -> Result<Verdict, String> {
    let text = std::str::from_utf8(line).map_err(|error| error.to_string())?;
    let value = json::parse_strict(text).map_err(|error| error.to_string())?;
    let verdict: Verdict = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if verdict.schema_version != SCHEMA_VERSION {
        return Err(format!("schema version {} is not {SCHEMA_VERSION}", verdict.schema_version));
    }
    Ok(verdict)
}

/// Copies the bytes behind the last newline to `<file>.torn`, then cuts them off.
fn set_torn_tail_aside(file: &mut File, path: &Path, whole_bytes: u64) -> std::io::Result<()> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(whole_bytes))?;
    if length > whole_bytes {
        let mut name = path.as_os_str().to_owned();
        name.push(".torn");
        let mut aside = OpenOptions::new().append(true).create(true).open(name)?;
        std::io::copy(file, &mut aside)?;
        aside.write_all(b"\n")?;
        aside.sync_all()?;
        file.set_len(whole_bytes)?;
        file.sync_all()?;
        file.seek(SeekFrom::Start(whole_bytes))?;
    }
    Ok(())
}

/// Makes a newly created name durable, where folders can be synced.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
