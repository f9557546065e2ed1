//! Cutting documents into chunks.
//!
//! Takes text, gives text; no I/O. Sizes are GPT-2 byte-pair tokens, the vocabulary ships inside the tokenizer crate.

use super::tokens::{TokenCounter, TokenMap};
use text_splitter::{ChunkConfig, ChunkConfigError, ChunkSizer, MarkdownSplitter, TextSplitter};

/// The largest chunk, in tokens (`contract/gateway.md` section 0, decision 2).
pub const CHUNK_TOKENS: usize = 800;
/// How many tokens two neighbours share at most.
pub const OVERLAP_TOKENS: usize = 100;
/// How much of a document the splitter sees at once; some ten chunks.
const WINDOW_BYTES: usize = 48 * 1024;

/// How a document is marked up; decides where it may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// Headings, lists and code blocks are kept together where possible.
    Markdown,
    /// Paragraphs, sentences, words.
    Plain,
}

/// Splits documents; remembers token counts between them.
#[derive(Default)]
pub struct Chunker {
    counter: TokenCounter,
}

impl Chunker {
    /// Gives the chunks of one document in order, trimmed; a blank document gives none.
    ///
    /// A document is read through a window, so that the time grows with its length and not faster; the last chunk of a
    /// window is where the next window starts. Fails only when the constants above contradict each other.
    pub fn split<'text>(&mut self, text: &'text str, markup: Markup) -> Result<Vec<&'text str>, ChunkConfigError> {
        let mut chunks = Vec::new();
        let mut rest = text;
        loop {
            let end = rest.floor_char_boundary(WINDOW_BYTES);
            let mut found = self.split_window(&rest[..end], markup)?;
            let next = match found.len() {
                _ if end == rest.len() => None,
                0 | 1 => Some(end),
                more => Some(found.swap_remove(more - 1).0),
            };
            chunks.extend(found.into_iter().map(|(_, chunk)| chunk));
            match next {
                Some(next) => rest = &rest[next..],
                None => return Ok(chunks),
            }
        }
    }

    fn split_window<'text>(
        &mut self,
        text: &'text str,
        markup: Markup,
    ) -> Result<Vec<(usize, &'text str)>, ChunkConfigError> {
        let sizer = WindowTokens { window_address: text.as_ptr().addr(), map: self.counter.map(text) };
        let config = ChunkConfig::new(CHUNK_TOKENS).with_sizer(sizer).with_overlap(OVERLAP_TOKENS)?;
        let trimmed = |(start, chunk): (usize, &'text str)| {
            let chunk = chunk.trim();
            (!chunk.is_empty()).then_some((start, chunk))
        };
        Ok(match markup {
            Markup::Markdown => MarkdownSplitter::new(config).chunk_indices(text).filter_map(trimmed).collect(),
            Markup::Plain => TextSplitter::new(config).chunk_indices(text).filter_map(trimmed).collect(),
        })
    }
}

/// Counts tokens of parts of one window; the splitter only ever asks about parts of the text it was given.
struct WindowTokens {
    window_address: usize,
    map: TokenMap,
}

impl ChunkSizer for WindowTokens {
    fn size(&self, chunk: &str) -> usize {
        let start = chunk.as_ptr().addr().saturating_sub(self.window_address);
        self.map.between(start, start + chunk.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn tokens(text: &str) -> usize {
        tiktoken_rs::r50k_base_singleton().count_ordinary(text)
    }

    #[test]
    fn chunks_stay_within_the_limit_and_neighbours_overlap() {
        let text: String = (0..2_000).map(|number| format!("Sentence {number} tells something. ")).collect();
        let mut chunker = Chunker::default();
        let chunks = chunker.split(&text, Markup::Plain).unwrap();
        assert!(chunks.len() > 10);
        assert!(chunks.iter().all(|chunk| tokens(chunk) <= CHUNK_TOKENS));
        let second_start = chunks[1].split(" tells").next().unwrap();
        assert!(chunks[0].contains(second_start), "no overlap: {second_start}");
    }

    #[test]
    fn a_blank_document_has_no_chunk_and_a_short_one_has_one() {
        let mut chunker = Chunker::default();
        assert!(chunker.split(" \n\t\n", Markup::Markdown).unwrap().is_empty());
        assert_eq!(chunker.split("\n# Title\n\nBody.\n", Markup::Markdown).unwrap(), ["# Title\n\nBody."]);
    }

    #[test]
    fn ten_megabytes_in_one_line_are_cut_in_reasonable_time() {
        let words = "alpha beta gamma delta ".repeat(10 * 1024 * 1024 / 23);
        let solid = "x".repeat(10 * 1024 * 1024);
        let mut chunker = Chunker::default();
        for (text, markup) in
            [(&words, Markup::Plain), (&words, Markup::Markdown), (&solid, Markup::Plain), (&solid, Markup::Markdown)]
        {
            let started = Instant::now();
            let chunks = chunker.split(text, markup).unwrap();
            assert!(started.elapsed() < Duration::from_secs(30), "{markup:?}: {:?}", started.elapsed());
            assert!(chunks.iter().all(|chunk| chunk.len() < 128 * CHUNK_TOKENS));
            assert!(chunks.len() > 100);
        }
    }
}
