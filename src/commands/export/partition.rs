//! Tables laid out as folders by dataset and run, in the manner of Hive: `dataset=graph_native/run=night`.
//!
//! The files keep their columns `dataset_id` and `run_id`, because readers guess the types of folder names, and an id that
//! looks like a number must stay text.

use crate::commands::import::make_folder;
use crate::error::{Failure, Kind, Result};
use crate::json;
use crate::report::escape::url_part;
use crate::warehouse::AdHoc;
use crate::warehouse::catalogue::Query;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the files in the innermost folders are called.
const TABLES: [&str; 4] = ["data.parquet", "data.arrow", "data.csv", "data.jsonl"];

/// The rows of one file.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// JSON list of the runs; null takes all.
    pub runs: Option<String>,
    /// The dataset; null takes all.
    pub dataset_id: Option<String>,
}

/// What folders are named after, outermost first.
#[derive(Debug)]
pub struct Keys {
    names: Vec<String>,
}

impl Keys {
    /// The keys in the order given; nothing when there are none. A key given twice counts once.
    pub fn named(names: &[String]) -> Option<Self> {
        let mut kept: Vec<String> = Vec::new();
        for name in names {
            if !kept.contains(name) {
                kept.push(name.clone());
            }
        }
        (!kept.is_empty()).then_some(Self { names: kept })
    }

    /// Every folder with the rows it holds.
    pub fn parts(&self, open: &AdHoc, runs: Option<&str>) -> Result<BTreeMap<PathBuf, Part>> {
        let mut parts: BTreeMap<PathBuf, Part> = BTreeMap::new();
        for row in open.warehouse().query("asking/partitions", &[("runs", runs.into())])?.rows {
            let (dataset_id, run_id) = (row.text("dataset_id")?, row.text("run_id")?);
            let mut path = PathBuf::new();
            let mut part = Part { runs: runs.map(str::to_owned), dataset_id: None };
            for name in &self.names {
                match name.as_str() {
                    "dataset" => {
                        path.push(format!("dataset={}", url_part(dataset_id)));
                        part.dataset_id = Some(dataset_id.to_owned());
                    }
                    _ => {
                        path.push(format!("run={}", url_part(run_id)));
                        part.runs = json_list(&[run_id.to_owned()]);
                    }
                }
            }
            parts.insert(path, part);
        }
        Ok(parts)
    }
}

/// Whether a table can be asked for one dataset and one run.
pub fn has_parts(table: &Query) -> Result<bool> {
    let header = table.header()?;
    Ok(["runs", "dataset_id"].iter().all(|name| header.parameters.iter().any(|parameter| parameter.name == *name)))
}

/// A JSON list; nothing for no items.
pub fn json_list(items: &[String]) -> Option<String> {
    (!items.is_empty()).then(|| json::compact(&serde_json::Value::from(items)).unwrap_or_default())
}

/// A folder that grows under a temporary name, and takes its place as a whole.
pub struct Folder {
    staged: tempfile::TempDir,
    target: PathBuf,
}

impl Folder {
    /// Begins a folder that will be called `target`. One that is there already must be of our making, or is refused.
    pub fn create(target: &Path) -> Result<Self> {
        let parent = target.parent().unwrap_or(Path::new("."));
        make_folder(parent)?;
        if target.symlink_metadata().is_ok() && !is_ours(target, true) {
            return Err(Failure::new(Kind::Input, format!("`{}` holds files that are no export", target.display()))
                .hint("give another --output; an export replaces folders of exports alone"));
        }
        let staged = tempfile::Builder::new().prefix(".export-").tempdir_in(parent);
        let staged = staged.map_err(|error| failed(target, &error))?;
        Ok(Self { staged, target: target.to_owned() })
    }

    /// Where its files go meanwhile.
    pub fn path(&self) -> &Path {
        self.staged.path()
    }

    /// Puts it in its place; the folder that was there is removed, or stays when its successor cannot take the place.
    pub fn commit(self) -> Result<()> {
        let told = |error: std::io::Error| failed(&self.target, &error);
        readable_by_all(self.staged.path()).map_err(told)?;
        if !self.target.exists() {
            std::fs::rename(self.staged.path(), &self.target).map_err(told)?;
            let _ = self.staged.keep();
            return Ok(());
        }
        let parent = self.target.parent().unwrap_or(Path::new("."));
        let aside = tempfile::Builder::new().prefix(".export-").tempdir_in(parent).map_err(told)?;
        let old = aside.path().join("old");
        std::fs::rename(&self.target, &old).map_err(told)?;
        if let Err(error) = std::fs::rename(self.staged.path(), &self.target) {
            if let Err(undone) = std::fs::rename(&old, &self.target) {
                let kept = aside.keep().join("old");
                let message = format!(
                    "cannot put `{}` back: {undone}; it is kept in `{}`",
                    self.target.display(),
                    kept.display()
                );
                return Err(Failure::new(Kind::Outside, message));
            }
            return Err(told(error));
        }
        // It has another name now, so there is nothing left to remove.
        let _ = self.staged.keep();
        Ok(())
    }
}

/// Whether a folder is as an export leaves it: folders of datasets or runs at the top, and one table in the innermost.
fn is_ours(folder: &Path, is_top: bool) -> bool {
    let Ok(entries) = std::fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>) else {
        return false;
    };
    entries.iter().all(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => {
                (name.starts_with("dataset=") || name.starts_with("run=")) && is_ours(&entry.path(), false)
            }
            Ok(kind) if kind.is_file() => !is_top && TABLES.contains(&name.as_str()),
            _ => false,
        }
    })
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Kind::Outside, format!("cannot write `{}`: {error}", path.display()))
}

/// Temporary folders are made for their owner alone; exports are not secret.
#[cfg(unix)]
fn readable_by_all(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn readable_by_all(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}
