//! Role `embed` in-process: a static embedding model, one row of numbers per token.
//!
//! Reads two files of a model folder once (a safetensors table and a tokenizer); writes nothing; never touches the
//! network. A text's vector is the mean of its tokens' rows, normalised. Equal files and texts give equal vectors on
//! every machine. Unlike the built-in embedding the rows were learned from text, so words of like meaning lie close.

mod error;
mod files;
mod table;
mod tokens;

pub use error::LocalModelError;
pub use files::{Layout, PINNED, Pin, PinnedModel};

use super::roles::{Embedder, RoleError, RoleFuture};
use std::path::Path;
use std::sync::Arc;
use table::Table;
use tokens::Tokens;

/// Names of local models begin with this.
pub const PROVIDER: &str = "local";
/// How many hex digits of the files' hash a name carries.
const NAME_HEX: usize = 8;

/// A loaded model; cheap to clone.
#[derive(Clone)]
pub struct StaticEmbedding {
    name: Arc<str>,
    model: Arc<Model>,
}

struct Model {
    table: Table,
    tokens: Tokens,
}

impl StaticEmbedding {
    /// Loads the model of a folder, called `name`.
    ///
    /// A model of [`PINNED`] must have exactly its files. Any other folder is accepted when table and tokenizer are
    /// whole and belong together; the hash of both enters the model's name, so that other files are another model.
    pub fn open(folder: &Path, name: &str) -> Result<Self, LocalModelError> {
        let pinned = PINNED.iter().find(|model| model.name == name);
        let files = files::read(folder, pinned)?;
        let hash = &files.sha256[..NAME_HEX];
        let table = Table::read(&files.table.path, &files.table.bytes)?;
        let tokens = Tokens::read(&files.tokenizer.path, &files.tokenizer.bytes, files.layout)?;
        if tokens.highest_id() >= table.token_n() {
            return Err(LocalModelError::Pair {
                table: files.table.path,
                tokenizer: files.tokenizer.path,
                reason: format!("token {} has no row, there are {}", tokens.highest_id(), table.token_n()),
            });
        }
        let name = format!("{PROVIDER}/{name}@{hash}").into();
        Ok(Self { name, model: Arc::new(Model { table, tokens }) })
    }

    /// The vector of one text: [`Embedder::dimension`] components of length 1. Of a text without a known token it is
    /// the same vector for all, so that it is near nothing in particular.
    pub fn vector(&self, text: &str) -> Result<Vec<f32>, RoleError> {
        let ids = self.model.tokens.ids(text).map_err(|reason| RoleError::new(&*self.name, reason))?;
        Ok(self.model.table.mean(&ids))
    }
}

impl Embedder for StaticEmbedding {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.model.table.dimension()
    }

    fn embed<'a>(&'a self, texts: &'a [String]) -> RoleFuture<'a, Vec<Vec<f32>>> {
        let (model, texts) = (self.clone(), texts.to_vec());
        Box::pin(async move {
            let work = move || texts.iter().map(|text| model.vector(text)).collect();
            let done = tokio::task::spawn_blocking(work).await;
            done.unwrap_or_else(|_| Err(RoleError::new(&*self.name, "a worker thread stopped before it was done")))
        })
    }
}
