//! Situating chunks in their documents: which text of a document a blurb is written from.
//!
//! Source: `contract/gateway.md` section 3.3. Reads documents below the corpus root; writes nothing. Asking for blurbs and
//! keeping them is the work of ingestion.

mod document;
mod headings;
mod positions;

pub use document::{Document, document_text};

use super::roles::BlurbRequest;

/// One chunk of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkOf<'a> {
    /// Path of the document inside the corpus mount.
    pub title: &'a str,
    /// The whole chunk.
    pub text: &'a str,
    /// Position in the document, from 0.
    pub index: usize,
    /// How many chunks the document has.
    pub chunks_n: usize,
}

/// What a chunk's blurb is written from.
pub fn request(document: &Document, chunk: ChunkOf<'_>) -> BlurbRequest {
    BlurbRequest {
        title: chunk.title.to_owned(),
        window: document.window(chunk.text).to_owned(),
        chunk: chunk.text.to_owned(),
        headings: document.headings_above(chunk.text),
        position: chunk.index + 1,
        chunks_n: chunk.chunks_n,
    }
}

/// The text that is searched instead of the chunk: the trimmed blurb, a blank line, the chunk.
///
/// An empty blurb leaves two line feeds in front.
pub fn contextual_text(blurb: &str, chunk: &str) -> String {
    format!("{}\n\n{chunk}", blurb.trim())
}
