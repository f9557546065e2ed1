//! `builtin/heading-path-blurb`: says where a chunk stands, from the document's name, its headings and the position.
//!
//! It reads no meaning: the window and the chunk are not looked at. Pure; equal input gives equal blurbs.

use crate::gateway::roles::BlurbRequest;

/// A heading is cut after so many characters, so that a blurb stays short whatever the document does.
const LONGEST_HEADING_CHARS: usize = 120;
/// The most headings that are named: the outermost and the innermost ones.
const MOST_HEADINGS: usize = 4;

/// Writes one sentence, for instance `From "Harbor Lock > Gates" of lock.md, part 2 of 3.`
///
/// A document without headings is named by its file alone, and one of a single chunk has no part.
pub fn blurb(request: &BlurbRequest) -> String {
    let file = request.title.rsplit('/').next().unwrap_or_default();
    let path = heading_path(&request.headings);
    let place = if path.is_empty() { format!("From {file}") } else { format!("From \"{path}\" of {file}") };
    if request.chunks_n > 1 {
        format!("{place}, part {} of {}.", request.position, request.chunks_n)
    } else {
        format!("{place}.")
    }
}

fn heading_path(headings: &[String]) -> String {
    let skipped = headings.len().saturating_sub(MOST_HEADINGS);
    let (first, rest) = headings.split_at(usize::from(skipped > 0).min(headings.len()));
    let named = first.iter().chain(&rest[skipped.min(rest.len())..]);
    named.map(|heading| heading.chars().take(LONGEST_HEADING_CHARS).collect::<String>()).collect::<Vec<_>>().join(" > ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(headings: &[&str], position: usize, chunks_n: usize) -> BlurbRequest {
        BlurbRequest {
            title: "harbor/lock.md".to_owned(),
            window: String::new(),
            chunk: String::new(),
            headings: headings.iter().map(|heading| (*heading).to_owned()).collect(),
            position,
            chunks_n,
        }
    }

    #[test]
    fn a_blurb_names_headings_file_and_part() {
        assert_eq!(blurb(&request(&["Harbor Lock", "Gates"], 2, 3)), "From \"Harbor Lock > Gates\" of lock.md, part 2 of 3.");
        assert_eq!(blurb(&request(&[], 1, 1)), "From lock.md.");
        let deep = request(&["a", "b", "c", "d", "e", "f"], 1, 1);
        assert_eq!(blurb(&deep), "From \"a > d > e > f\" of lock.md.");
        let long = "x".repeat(5000);
        assert!(blurb(&request(&[&long], 1, 1)).len() < 200);
    }
}
