//! The catalogue: every statement the program runs, by name and version.
//!
//! Reads the `sql/` folder embedded in the binary and, when given, a project folder whose files replace or add to it by
//! relative name. Writes nothing and runs nothing.

mod header;

pub use header::{Column, Header, Parameter};

use super::connection::Parameter as Value;
use super::{Error, Result};
use include_dir::{Dir, include_dir};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

static EMBEDDED: Dir = include_dir!("$CARGO_MANIFEST_DIR/sql");

/// Where a statement's text came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Shipped in the binary.
    Embedded,
    /// A file of the project that adds to or replaces the shipped ones.
    Project(PathBuf),
}

/// One statement.
#[derive(Debug, Clone)]
pub struct Query {
    /// Folder and base name without version, for instance `rankings/judges`.
    pub name: String,
    /// The number behind `_v`; null for numbered and engine files, which have no versions.
    pub version: Option<u32>,
    /// SHA-256 of the text, lower-case hex; pages print it.
    pub sha256: String,
    /// The whole file, header included.
    pub text: String,
    /// Who supplied it.
    pub origin: Origin,
    /// Path below `sql/`, for messages.
    pub file: String,
}

impl Query {
    /// Parses the header comment that `docs/sql-headers.md` defines.
    pub fn header(&self) -> Result<Header> {
        header::parse(&self.file, &self.text)
    }

    /// The value of a parameter that nobody gave, as the header says; an error when it must be given.
    pub fn default_value(&self, name: &str) -> Result<Value> {
        let missing = || Error::Parameter { query: self.full_name(), parameter: name.to_owned() };
        let header = self.header()?;
        let parameter = header.parameters.iter().find(|parameter| parameter.name == name).ok_or_else(missing)?;
        let default = parameter.default.as_deref().ok_or_else(missing)?;
        match crate::json::parse_strict(default) {
            Ok(serde_json::Value::Null) => Ok(Value::Null),
            Ok(serde_json::Value::String(text)) => Ok(Value::Text(text)),
            Ok(serde_json::Value::Number(number)) => match (number.as_i64(), number.as_f64()) {
                (Some(integer), _) => Ok(Value::Integer(integer)),
                (None, Some(float)) => Ok(Value::Float(float)),
                (None, None) => Err(missing()),
            },
            _ => Err(missing()),
        }
    }

    /// The name as pages print it: `rankings/judges@2`.
    pub fn full_name(&self) -> String {
        match self.version {
            Some(version) => format!("{}@{version}", self.name),
            None => self.name.clone(),
        }
    }
}

/// All statements, by relative path.
#[derive(Debug, Clone)]
pub struct Catalogue {
    queries: BTreeMap<(String, Option<u32>), Query>,
}

impl Catalogue {
    /// Loads the embedded statements, then the files of `overrides`, which win by relative name.
    ///
    /// A missing override folder is an error: somebody named it. Files that do not end in `.sql` are ignored.
    pub fn embedded(overrides: Option<&Path>) -> Result<Self> {
        let mut catalogue = Self { queries: BTreeMap::new() };
        catalogue.add_embedded(&EMBEDDED)?;
        if let Some(folder) = overrides {
            catalogue.add_folder(folder, folder)?;
        }
        Ok(catalogue)
    }

    /// Finds `name` (newest version) or `name@version`.
    pub fn query(&self, name: &str) -> Result<&Query> {
        let found = match name.split_once('@') {
            Some((base, version)) => {
                version.parse().ok().and_then(|version| self.queries.get(&(base.to_owned(), Some(version))))
            }
            None => self.versions(name).next_back(),
        };
        found.ok_or_else(|| Error::UnknownQuery { name: name.to_owned(), suggestion: self.nearest(name) })
    }

    /// All statements in order of name, then version.
    pub fn iter(&self) -> impl Iterator<Item = &Query> {
        self.queries.values()
    }

    /// The newest version of every statement below one folder, in order of name.
    pub fn folder(&self, folder: &str) -> Vec<&Query> {
        let prefix = format!("{folder}/");
        let mut newest: BTreeMap<&str, &Query> = BTreeMap::new();
        for query in self.iter().filter(|query| query.name.starts_with(&prefix)) {
            newest.insert(&query.name, query);
        }
        newest.into_values().collect()
    }

    fn versions(&self, name: &str) -> impl DoubleEndedIterator<Item = &Query> {
        let (low, high) = ((name.to_owned(), None), (name.to_owned(), Some(u32::MAX)));
        self.queries.range(low..=high).map(|(_, query)| query)
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let base = name.split('@').next().unwrap_or(name);
        self.iter()
            .map(|query| (strsim::jaro_winkler(base, &query.name), &query.name))
            .filter(|(similarity, _)| *similarity > 0.8)
            .max_by(|left, right| left.0.total_cmp(&right.0))
            .map(|(_, name)| name.clone())
    }

    fn add_embedded(&mut self, folder: &Dir) -> Result<()> {
        for file in folder.files() {
            let relative = relative_name(file.path());
            let Some(text) = file.contents_utf8() else {
                return Err(Error::Header { file: relative, line: 1, reason: "is not UTF-8".to_owned() });
            };
            self.add(&relative, text.to_owned(), Origin::Embedded)?;
        }
        folder.dirs().try_for_each(|inner| self.add_embedded(inner))
    }

    fn add_folder(&mut self, root: &Path, folder: &Path) -> Result<()> {
        let failed = |source| Error::File { action: "read", path: folder.to_owned(), source };
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                self.add_folder(root, &path)?;
            } else {
                let relative = relative_name(path.strip_prefix(root).unwrap_or(&path));
                let text = std::fs::read_to_string(&path).map_err(|source| Error::File {
                    action: "read",
                    path: path.clone(),
                    source,
                });
                if relative.ends_with(".sql") {
                    self.add(&relative, text?, Origin::Project(path))?;
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, file: &str, text: String, origin: Origin) -> Result<()> {
        let Some(stem) = file.strip_suffix(".sql") else { return Ok(()) };
        let (name, version) = split_version(stem);
        let sha256 = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        let query = Query { name: name.to_owned(), version, sha256, text, origin, file: file.to_owned() };
        self.queries.insert((name.to_owned(), version), query);
        Ok(())
    }
}

/// Splits `rankings/judges_v2` into name and version; a name without `_v` and a number has none.
fn split_version(stem: &str) -> (&str, Option<u32>) {
    match stem.rsplit_once("_v") {
        Some((name, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            (name, digits.parse().ok())
        }
        _ => (stem, None),
    }
}

fn relative_name(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_wins_by_number_and_an_older_one_can_be_named() {
        let mut catalogue = Catalogue { queries: BTreeMap::new() };
        for version in [2, 10, 9] {
            catalogue.add(&format!("metrics/x_v{version}.sql"), format!("select {version}"), Origin::Embedded).unwrap();
        }
        assert_eq!(catalogue.query("metrics/x").unwrap().version, Some(10));
        assert_eq!(catalogue.query("metrics/x@2").unwrap().text, "select 2");
        let message = catalogue.query("metrics/xy").unwrap_err().to_string();
        assert_eq!(message, "no query is called `metrics/xy`; did you mean `metrics/x`?");
    }

    #[test]
    fn a_project_file_replaces_the_shipped_one_by_name() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("metrics")).unwrap();
        std::fs::write(folder.path().join("metrics/mine_v1.sql"), "select 1").unwrap();
        std::fs::write(folder.path().join("metrics/notes.txt"), "not a query").unwrap();
        let catalogue = Catalogue::embedded(Some(folder.path())).unwrap();
        let query = catalogue.query("metrics/mine").unwrap();
        assert!(matches!(query.origin, Origin::Project(_)));
        assert_eq!(query.full_name(), "metrics/mine@1");
    }
}
