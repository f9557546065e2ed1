//! Keeping indexes: in memory while the process lives, in one file per namespace for the next one.
//!
//! Source: `contract/gateway.md` section 2.7.5. A file is written under a hidden name and renamed, so a reader in any
//! process sees a whole file or none.

use super::{Chunk, Index, corpus_fingerprint, namespace_file};
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

/// Says why an index could not be kept.
#[derive(Debug, thiserror::Error)]
pub enum LazyGraphError {
    /// The cache folder cannot be made.
    #[error("the lazy graph cache folder `{}` cannot be created: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The cache file cannot be written; no partial file is left behind.
    #[error("the lazy graph cache file `{}` cannot be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// An index that is ready to be asked.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The index, shared with other questions.
    pub index: Arc<Index>,
    /// True when it came from memory or file, false when it was built now.
    pub cache_hit: bool,
    /// Wall time of finding or building it, in seconds.
    pub seconds: f64,
}

/// The indexes of one cache folder.
#[derive(Debug)]
pub struct LazyGraph {
    folder: PathBuf,
    spaces: Mutex<HashMap<String, Arc<Space>>>,
}

/// One namespace: what memory holds, and the lock that only builders take.
#[derive(Debug, Default)]
struct Space {
    resident: Mutex<Option<Resident>>,
    building: Mutex<()>,
}

#[derive(Debug, Clone)]
struct Resident {
    index: Arc<Index>,
    /// Size and time of the file when it was read or written; another stamp sends us back to the file.
    stamp: Stamp,
    corpus_digest: Option<String>,
}

type Stamp = (u64, SystemTime);

impl LazyGraph {
    /// Names the cache folder; it is created when the first index is kept.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), spaces: Mutex::default() }
    }

    /// Gives the index that memory holds for a namespace, without looking at any chunk.
    ///
    /// `corpus_digest` must be the one that [`LazyGraph::load_or_build`] was given and must change with every change
    /// of the chunks. None when memory holds another corpus, or when the cache file changed or went away.
    pub fn resident(&self, namespace: &str, corpus_digest: &str) -> Option<Loaded> {
        let started = Instant::now();
        let file = namespace_file(namespace);
        let resident = self.space(&file).resident(&self.folder.join(&file))?;
        (resident.corpus_digest.as_deref() == Some(corpus_digest)).then(|| loaded(resident.index, true, started))
    }

    /// Finds the index of these chunks in memory or in the cache file, or builds and keeps it.
    ///
    /// Whatever is wrong with a cache file, it counts as no cache. Threads that ask for the same namespace build once;
    /// other processes may build the same again, which the rename makes harmless. A changed corpus replaces the file.
    pub fn load_or_build(
        &self,
        namespace: &str,
        chunks: &[Chunk],
        max_concepts: i64,
        corpus_digest: Option<&str>,
    ) -> Result<Loaded, LazyGraphError> {
        let started = Instant::now();
        let file = namespace_file(namespace);
        let path = self.folder.join(&file);
        let fingerprint = corpus_fingerprint(chunks, max_concepts);
        let space = self.space(&file);
        if let Some(index) = space.find(&path, &fingerprint, corpus_digest) {
            return Ok(loaded(index, true, started));
        }
        let _building = unpoisoned(&space.building);
        if let Some(index) = space.find(&path, &fingerprint, corpus_digest) {
            return Ok(loaded(index, true, started));
        }
        let index = Arc::new(Index::build(chunks, max_concepts));
        fs::create_dir_all(&self.folder)
            .map_err(|source| LazyGraphError::Folder { path: self.folder.clone(), source })?;
        replace(&self.folder, &file, &index.write())
            .map_err(|source| LazyGraphError::Write { path: path.clone(), source })?;
        space.keep(&path, &index, corpus_digest);
        Ok(loaded(index, false, started))
    }

    fn space(&self, file: &str) -> Arc<Space> {
        unpoisoned(&self.spaces).entry(file.to_owned()).or_default().clone()
    }
}

impl Space {
    fn find(&self, path: &Path, fingerprint: &str, corpus_digest: Option<&str>) -> Option<Arc<Index>> {
        if let Some(resident) = self.resident(path)
            && resident.index.fingerprint() == fingerprint
        {
            return Some(resident.index);
        }
        let text = fs::read_to_string(path).ok()?;
        let index = Arc::new(Index::read(&text).ok().filter(|index| index.fingerprint() == fingerprint)?);
        self.keep(path, &index, corpus_digest);
        Some(index)
    }

    /// What memory holds, as long as the file is the one it came from.
    fn resident(&self, path: &Path) -> Option<Resident> {
        let resident = unpoisoned(&self.resident).clone()?;
        (stamp(path) == Some(resident.stamp)).then_some(resident)
    }

    fn keep(&self, path: &Path, index: &Arc<Index>, corpus_digest: Option<&str>) {
        let resident = stamp(path).map(|stamp| Resident {
            index: index.clone(),
            stamp,
            corpus_digest: corpus_digest.map(str::to_owned),
        });
        *unpoisoned(&self.resident) = resident;
    }
}

fn loaded(index: Arc<Index>, cache_hit: bool, started: Instant) -> Loaded {
    Loaded { index, cache_hit, seconds: started.elapsed().as_secs_f64() }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

fn replace(folder: &Path, file: &str, text: &str) -> io::Result<()> {
    let mut temporary = tempfile::Builder::new()
        .prefix(&format!(".{file}.{}.", std::process::id()))
        .suffix(".tmp")
        .tempfile_in(folder)?;
    temporary.write_all(text.as_bytes())?;
    temporary.persist(folder.join(file)).map(drop).map_err(|error| error.error)
}

/// A panic elsewhere cannot leave these maps half-changed, so a poisoned lock is still good.
fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
