//! Who an ingestion is, computed from files alone.

use super::{IngestionError, IngestionModels};
use crate::gateway::config::ProfileSource;
use crate::gateway::discover::{Discovery, discover};
use crate::gateway::identity::{content_digest, ingestion_id, own_revision};
use std::path::{Component, Path};

/// The names of an ingestion; equal content under an equal profile has equal names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestionIdentity {
    /// The job's id.
    pub id: String,
    /// Hash of the profile.
    pub revision: String,
    /// Hash of the corpus.
    pub content_digest: String,
}

/// Computes the identity that submitting a profile would have, without starting anything.
pub fn offline_record(
    corpus_root: &Path,
    profile: &ProfileSource,
    models: &IngestionModels,
) -> Result<IngestionIdentity, IngestionError> {
    identify(corpus_root, profile, models).map(|(identity, _)| identity)
}

/// Lists a corpus and names its ingestion.
pub(super) fn identify(
    corpus_root: &Path,
    source: &ProfileSource,
    models: &IngestionModels,
) -> Result<(IngestionIdentity, Discovery), IngestionError> {
    let discovery = discover(corpus_root, &source.folder, &source.label)?;
    let revision = own_revision(&source.name, &source.label, models.targets())?;
    let files = discovery.files.iter().map(|file| (file.source.as_str(), file.sha256.as_str()));
    let content_digest = content_digest(files)?;
    let id = ingestion_id(&source.name, &revision, &content_digest);
    Ok((IngestionIdentity { id, revision, content_digest }, discovery))
}

/// Reads the `corpus_path` of a request: relative, without `..`, inside the root even when links are followed.
pub(super) fn inside(corpus_root: &Path, profile: &str, path: &str) -> Result<ProfileSource, String> {
    let relative = Path::new(path);
    let plain = relative.components().all(|component| matches!(component, Component::Normal(_)));
    if path.is_empty() || path.contains('\0') || !plain {
        return Err(format!("`corpus_path` must be a relative path without `..`, not `{path}`"));
    }
    let unusable = |reason: &str| format!("the corpus folder `{path}` {reason}");
    let root = corpus_root.canonicalize().map_err(|_| unusable("cannot be read"))?;
    let folder = root.join(relative).canonicalize().map_err(|_| unusable("does not exist"))?;
    if !folder.starts_with(&root) {
        return Err(unusable("lies outside the corpus root"));
    }
    if !folder.is_dir() {
        return Err(unusable("is not a folder"));
    }
    let label: Vec<String> =
        relative.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    Ok(ProfileSource { name: profile.to_owned(), folder, label: label.join("/") })
}
