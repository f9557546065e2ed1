//! The comment a page template begins with: what the page is and which queries it needs.
//!
//! Reads text, returns a [`Page`]; refuses keys it does not know, because a misspelt one would otherwise be lost.

use super::{About, Format, Page, PageQuery, Source};
use crate::report::{Error, Result};
use sha2::{Digest, Sha256};

/// Parses `{# key: value ... #}` at the very start of a template.
pub fn parse(file: &str, source: &Source) -> Result<Page> {
    let wrong = |reason: String| Error::Page { template: format!("pages/{file}"), reason };
    let (name, format) = match file.strip_suffix(".md.j2") {
        Some(name) => (name, Format::Markdown),
        None => (file.trim_end_matches(".j2"), Format::Html),
    };
    let front = source.text.strip_prefix("{#").and_then(|rest| rest.split_once("#}"));
    let Some((front, _)) = front else {
        return Err(wrong("a page begins with a comment `{# purpose: ... output: ... #}`".to_owned()));
    };
    let mut page = Page {
        name: name.to_owned(),
        file: file.to_owned(),
        format,
        about: About::Runs,
        purpose: String::new(),
        output: String::new(),
        each: None,
        files: None,
        prepare: Vec::new(),
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
            Some(("query", alias)) if is_name(split(alias).0) => {
                let (alias, by) = split(alias);
                if page.queries.iter().any(|known| known.alias == alias) {
                    return Err(wrong(format!("the query `{alias}` is named twice")));
                }
                let by = by.map(str::to_owned);
                let (query, fixed) = fixed(value).map_err(wrong)?;
                page.queries.push(PageQuery { alias: alias.to_owned(), by, query, fixed });
            }
            None if key == "about" => {
                page.about = match value {
                    "runs" => About::Runs,
                    "published" => About::Published,
                    _ => return Err(wrong(format!("a page is about `runs` or `published`, not `{value}`"))),
                }
            }
            None if key == "purpose" => page.purpose = value.to_owned(),
            None if key == "output" => page.output = value.to_owned(),
            None if key == "each" => page.each = Some(value.to_owned()),
            None if key == "files" => page.files = Some(value.to_owned()),
            None if key == "prepare" => page.prepare.push(value.to_owned()),
            None if key == "check" => page.checks.push(value.to_owned()),
            _ => {
                let known = "purpose, output, about, each, files, prepare, check and `query NAME [by COLUMN]: QUERY [PARAMETER=VALUE ..]`";
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

/// `QUERY` or `QUERY PARAMETER=VALUE ...`: the statement, and the values that this page always gives it.
fn fixed(value: &str) -> Result<(String, Vec<(String, String)>), String> {
    let mut words = value.split_whitespace();
    let query = words.next().unwrap_or_default().to_owned();
    let pair = |word: &str| match word.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(format!("expected `parameter=value` after `{query}`, not `{word}`")),
    };
    let pairs = words.map(pair).collect::<Result<_, _>>()?;
    Ok((query, pairs))
}

/// `NAME` or `NAME by COLUMN`.
fn split(alias: &str) -> (&str, Option<&str>) {
    alias.trim().split_once(" by ").map_or((alias.trim(), None), |(name, by)| (name.trim(), Some(by.trim())))
}

/// Names a template can write without quotes, and that it does not use for itself.
fn is_name(name: &str) -> bool {
    let is_taken = ["given", "page", "provenance", "assets", "body", "loop"].contains(&name);
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
        parse("mine.md.j2", &Source { text: text.to_owned(), origin: Origin::Embedded })
    }

    #[test]
    fn a_front_names_queries_checks_and_the_path() {
        let page =
            read("{#\npurpose: Shows.\noutput: mine.md\ncheck: checks/a@1\nquery rows: metrics/mine@1\n#}\n").unwrap();
        assert_eq!((page.queries[0].alias.as_str(), page.queries[0].query.as_str()), ("rows", "metrics/mine@1"));
        assert_eq!(page.queries[0].by, None);
        assert_eq!((page.output.as_str(), page.checks.as_slice()), ("mine.md", &["checks/a@1".to_owned()][..]));
    }

    #[test]
    fn a_query_may_come_in_stretches_and_a_page_may_be_about_published_files() {
        let page = read("{#\npurpose: x\noutput: x\nabout: published\nquery rows by panel: a/b@1\n#}\n").unwrap();
        assert_eq!((page.queries[0].by.as_deref(), page.about), (Some("panel"), About::Published));
    }

    #[test]
    fn a_page_may_fix_parameters_of_a_query() {
        let page = read("{#\npurpose: x\noutput: x\nquery rows: a/b@1 set=board  n=2\n#}\n").unwrap();
        let fixed = [("set", "board"), ("n", "2")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!((page.queries[0].query.as_str(), page.queries[0].fixed.as_slice()), ("a/b@1", fixed.as_slice()));
    }

    #[test]
    fn misspelt_and_missing_keys_are_refused_with_their_line() {
        for (text, reason) in [
            ("# no front", "a page begins with a comment"),
            ("{#\npurpose: x\n#}", "the key `output` is missing"),
            ("{#\nporpose: x\n#}", "line 2: unknown key `porpose`"),
            ("{#\nquery given: a/b@1\n#}", "line 2: unknown key `query given`"),
            ("{#\nabout: me\n#}", "line 2: a page is about `runs` or `published`, not `me`"),
            ("{#\nquery a: x/y board\n#}", "line 2: expected `parameter=value` after `x/y`, not `board`"),
            ("{#\nquery a: x/y\nquery a: x/z\n#}", "line 3: the query `a` is named twice"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
        }
    }
}
