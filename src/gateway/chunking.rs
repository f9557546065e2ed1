//! Cutting documents into chunks.
//!
//! Takes text, gives text; no I/O. Sizes are GPT-2 byte-pair tokens, the vocabulary ships inside the tokenizer crate.

use text_splitter::{ChunkConfig, ChunkConfigError, ChunkSizer, MarkdownSplitter, TextSplitter};
use tiktoken_rs::CoreBPE;

/// The largest chunk, in tokens (`contract/gateway.md` section 0, decision 2).
pub const CHUNK_TOKENS: usize = 800;
/// How many tokens two neighbours share at most.
pub const OVERLAP_TOKENS: usize = 100;
/// No GPT-2 token is longer than this many bytes, so a text of n bytes has at least n / 128 tokens.
const LONGEST_TOKEN_BYTES: usize = 128;
/// How much of a document the splitter sees at once; some ten chunks.
const WINDOW_BYTES: usize = 48 * 1024;
/// The longest run without a blank that is tokenised in one piece.
const STRETCH_BYTES: usize = 512;

/// How a document is marked up; decides where it may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// Headings, lists and code blocks are kept together where possible.
    Markdown,
    /// Paragraphs, sentences, words.
    Plain,
}

/// Splits documents; cheap to share between threads.
pub struct Chunker {
    markdown: MarkdownSplitter<Gpt2Tokens>,
    plain: TextSplitter<Gpt2Tokens>,
}

impl Chunker {
    /// Prepares the splitters; fails only when the constants above contradict each other.
    pub fn new() -> Result<Self, ChunkConfigError> {
        let config = || {
            ChunkConfig::new(CHUNK_TOKENS)
                .with_sizer(Gpt2Tokens(tiktoken_rs::r50k_base_singleton()))
                .with_overlap(OVERLAP_TOKENS)
        };
        Ok(Self { markdown: MarkdownSplitter::new(config()?), plain: TextSplitter::new(config()?) })
    }

    /// Gives the chunks of one document in order, trimmed; a blank document gives none.
    ///
    /// A document is read through a window, so that the time grows with its length and not faster. The last chunk of a
    /// window is where the next window starts.
    pub fn split<'text>(&self, text: &'text str, markup: Markup) -> Vec<&'text str> {
        let mut chunks = Vec::new();
        let mut rest = text;
        loop {
            let end = rest.floor_char_boundary(WINDOW_BYTES);
            let mut found = self.split_window(&rest[..end], markup);
            if end == rest.len() {
                chunks.append(&mut found.into_iter().map(|(_, chunk)| chunk).collect());
                return chunks;
            }
            let next = match found.len() {
                0 | 1 => end,
                more => found.swap_remove(more - 1).0,
            };
            chunks.extend(found.into_iter().map(|(_, chunk)| chunk));
            rest = &rest[next..];
        }
    }

    fn split_window<'text>(&self, text: &'text str, markup: Markup) -> Vec<(usize, &'text str)> {
        let trimmed = |(start, chunk): (usize, &'text str)| {
            let chunk = chunk.trim();
            (!chunk.is_empty()).then_some((start, chunk))
        };
        match markup {
            Markup::Markdown => self.markdown.chunk_indices(text).filter_map(trimmed).collect(),
            Markup::Plain => self.plain.chunk_indices(text).filter_map(trimmed).collect(),
        }
    }
}

struct Gpt2Tokens(&'static CoreBPE);

impl ChunkSizer for Gpt2Tokens {
    /// Counts tokens. For a text that is certainly too large it gives a lower bound without reading it; a run of more
    /// than [`STRETCH_BYTES`] without a blank is counted in stretches, because merging pairs in it is quadratic.
    fn size(&self, chunk: &str) -> usize {
        let at_least = chunk.len() / LONGEST_TOKEN_BYTES;
        if at_least > CHUNK_TOKENS {
            return at_least;
        }
        if chunk.split_whitespace().all(|run| run.len() <= STRETCH_BYTES) {
            return self.0.count_ordinary(chunk);
        }
        let mut total = 0;
        let mut rest = chunk;
        while !rest.is_empty() {
            let (stretch, after) = rest.split_at(rest.floor_char_boundary(STRETCH_BYTES));
            total += self.0.count_ordinary(stretch);
            rest = after;
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn tokens(text: &str) -> usize {
        tiktoken_rs::r50k_base_singleton().count_ordinary(text)
    }

    #[test]
    fn chunks_stay_within_the_limit_and_neighbours_overlap() {
        let text: String = (0..2_000).map(|number| format!("Sentence {number} tells something. ")).collect();
        let chunker = Chunker::new().unwrap();
        let chunks = chunker.split(&text, Markup::Plain);
        assert!(chunks.len() > 10);
        assert!(chunks.iter().all(|chunk| tokens(chunk) <= CHUNK_TOKENS));
        let second_start = chunks[1].split(" tells").next().unwrap();
        assert!(chunks[0].contains(second_start), "no overlap: {second_start}");
    }

    #[test]
    fn a_blank_document_has_no_chunk_and_a_short_one_has_one() {
        let chunker = Chunker::new().unwrap();
        assert!(chunker.split(" \n\t\n", Markup::Markdown).is_empty());
        assert_eq!(chunker.split("\n# Title\n\nBody.\n", Markup::Markdown), ["# Title\n\nBody."]);
    }

    #[test]
    fn ten_megabytes_in_one_line_are_cut_in_reasonable_time() {
        let words = "alpha beta gamma delta ".repeat(10 * 1024 * 1024 / 23);
        let solid = "x".repeat(10 * 1024 * 1024);
        let chunker = Chunker::new().unwrap();
        for (text, markup) in
            [(&words, Markup::Plain), (&words, Markup::Markdown), (&solid, Markup::Plain), (&solid, Markup::Markdown)]
        {
            let started = Instant::now();
            let chunks = chunker.split(text, markup);
            eprintln!("TIMING {markup:?} {} chunks {:?}", chunks.len(), started.elapsed());
            assert!(chunks.len() > 100);
        }
    }
}
