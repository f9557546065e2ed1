//! The comment a page template begins with: what the page is and which queries it needs.
//!
//! Reads text, returns a [`Page`]; refuses keys it does not know, because a misspelt one would otherwise be lost.

use super::{Page, Source};
use crate::report::{Error, Result};
use sha2::{Digest, Sha256};

/// Parses `{# key: value ... #}` at the very start of a template.
pub fn parse(name: &str, source: &Source) -> Result<Page> {
    let wrong = |reason: String| Error::Page { template: format!("pages/{name}.md.j2"), reason };
    let front = source.text.strip_prefix("{#").and_then(|rest| rest.split_once("#}"));
    let Some((front, _)) = front else {
        return Err(wrong("a page begins with a comment `{# purpose: ... output: ... #}`".to_owned()));
    };
    let mut page = Page {
        name: name.to_owned(),
        purpose: String::new(),
        output: String::new(),
        each: None,
        files: None,
        checks: Vec::new(),
        queries: Vec::new(),
        sha256: Sha256::digest(source.text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect(),
        origin: source.origin.clone(),
    };
    for (index, line) in front.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |reason: String| wrong(format!("line {}: {reason}", index + 1));
        let Some((key, value)) = line.split_once(':').map(|(key, value)| (key.trim(), value.trim())) else {
            return Err(wrong("expected `key: value`".to_owned()));
        };
        match key.split_once(' ') {
            Some(("query", alias)) if is_name(alias.trim()) => {
                let alias = alias.trim();
                if page.queries.iter().any(|(known, _)| known == alias) {
                    return Err(wrong(format!("the query `{alias}` is named twice")));
                }
                page.queries.push((alias.to_owned(), value.to_owned()));
            }
            None if key == "purpose" => page.purpose = value.to_owned(),
            None if key == "output" => page.output = value.to_owned(),
            None if key == "each" => page.each = Some(value.to_owned()),
            None if key == "files" => page.files = Some(value.to_owned()),
            None if key == "check" => page.checks.push(value.to_owned()),
            _ => {
                let known = "purpose, output, each, files, check and `query NAME`";
                return Err(wrong(format!("unknown key `{key}`; known are {known}")));
            }
        }
    }
    for (key, value) in [("purpose", &page.purpose), ("output", &page.output)] {
        if value.is_empty() {
            return Err(wrong(format!("the key `{key}` is missing")));
        }
    }
    Ok(page)
}

/// Names a template can write without quotes, and that it does not use for itself.
fn is_name(name: &str) -> bool {
    let is_taken = ["given", "page", "provenance", "loop"].contains(&name);
    !is_taken
        && name.starts_with(|character: char| character.is_ascii_lowercase())
        && name
            .chars()
            .all(|character| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warehouse::catalogue::Origin;

    fn read(text: &str) -> Result<Page> {
        parse("mine", &Source { text: text.to_owned(), origin: Origin::Embedded })
    }

    #[test]
    fn a_front_names_queries_checks_and_the_path() {
        let page =
            read("{#\npurpose: Shows.\noutput: mine.md\ncheck: checks/a@1\nquery rows: metrics/mine@1\n#}\n").unwrap();
        assert_eq!(page.queries, [("rows".to_owned(), "metrics/mine@1".to_owned())]);
        assert_eq!((page.output.as_str(), page.checks.as_slice()), ("mine.md", &["checks/a@1".to_owned()][..]));
    }

    #[test]
    fn misspelt_and_missing_keys_are_refused_with_their_line() {
        for (text, reason) in [
            ("# no front", "a page begins with a comment"),
            ("{#\npurpose: x\n#}", "the key `output` is missing"),
            ("{#\nporpose: x\n#}", "line 2: unknown key `porpose`"),
            ("{#\nquery given: a/b@1\n#}", "line 2: unknown key `query given`"),
            ("{#\nquery a: x/y\nquery a: x/z\n#}", "line 3: the query `a` is named twice"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
        }
    }
}
