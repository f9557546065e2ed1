//! The rendered answer: how sources and footer are written into the text (`contract/gateway.md` section 1.9).
//!
//! The gateway writes it here and the runner reads it in `runner::completion`; both use these markers.

use super::chat::{ServerMetrics, Source};
use std::fmt::Write as _;

/// Opens the source block.
pub const SOURCES_MARKER: &str = "<details><summary>\u{1F50E} Retrieved context";
/// Starts the footer line.
pub const FOOTER_MARKER: char = '\u{1F4CA}';
/// How many characters of a snippet the rendering shows.
pub const PREVIEW_CHARS: usize = 240;

/// Renders an answer with its source previews and its footer.
///
/// No source leaves the block out; the text has no final newline.
pub fn render(answer: &str, sources: &[Source], metrics: &ServerMetrics) -> String {
    let mut out = answer.to_owned();
    if !sources.is_empty() {
        let _ = write!(out, "\n\n{SOURCES_MARKER} ({})</summary>\n", plural(sources.len() as u64, "source"));
        for (index, source) in sources.iter().enumerate() {
            let _ = write!(out, "\n**{}. {}**", index + 1, source.title);
            if let Some(score) = source.score {
                let _ = write!(out, " \u{b7} score {score:.3}");
            }
            let _ = write!(out, "\n\n> {}\n", preview(&source.snippet));
        }
        out.push_str("\n</details>");
    }
    let ServerMetrics { seconds, chunks, llm_calls, cloud_calls } = *metrics;
    let _ = write!(
        out,
        "\n\n---\n{FOOTER_MARKER} {seconds:.1}s \u{b7} {} \u{b7} {} \u{b7} {cloud_calls} cloud",
        plural(chunks, "chunk"),
        plural(llm_calls, "LLM call"),
    );
    out
}

fn plural(count: u64, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

fn preview(snippet: &str) -> &str {
    snippet.char_indices().nth(PREVIEW_CHARS).map_or(snippet, |(end, _)| &snippet[..end])
}
