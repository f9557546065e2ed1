//! What a page rests on: its template, its statements, its files, and whether an old page still agrees with them.
//!
//! Reads the catalogue and the files; returns values for the footer that every page ends with. The footer holds no time
//! and no place of this machine, so equal inputs give equal bytes.

use super::renderer::{HTML_FRAME, MARKDOWN_FOOTER};
use super::{Format, Page, Pages, assets};
use crate::report::{Error, Result, site};
use crate::warehouse::catalogue::{Catalogue, Origin};
use crate::warehouse::{Parameter, Warehouse};
use minijinja::value::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The line an HTML page's footer begins with, and what each of its entries begins with.
const FOOTER: &str = "<footer id=\"made-from\">";
const ITEM: &str = "<li>";

/// Whether a page is still what its inputs give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Byte for byte.
    Same,
    /// It is not; one sentence for each thing that changed.
    Differs(Vec<String>),
    /// Today's inputs give no page of that path.
    Gone,
}

/// Name with version, hash and origin of every statement behind a page, views included, in order of name.
pub fn statements(page: &Page, catalogue: &Catalogue) -> Result<Vec<(String, String, Origin)>> {
    let named = page
        .queries
        .iter()
        .map(|used| &used.query)
        .chain(&page.prepare)
        .chain(&page.checks)
        .chain(&page.each)
        .chain(&page.files);
    // The macros decide about rounding, so they belong to every page.
    let mut open: Vec<String> = named.cloned().chain(["engine/duckdb".to_owned()]).collect();
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        let query = catalogue.query(&name)?;
        if !seen.insert(query.full_name()) {
            continue;
        }
        for read in query.header()?.reads {
            let view = format!("staging/{}", read.trim_start_matches("staging."));
            if catalogue.query(&view).is_ok() {
                open.push(view);
            }
        }
        found.insert(query.full_name(), (query.sha256.clone(), query.origin.clone()));
    }
    Ok(found.into_iter().map(|(name, (sha256, origin))| (name, sha256, origin)).collect())
}

/// The footer's values.
pub fn value(pages: &Pages, page: &Page, warehouse: &Warehouse, given: &[(&str, Parameter)]) -> Result<Value> {
    let statements = statements(page, warehouse.catalogue())?;
    let queries: Vec<Value> = statements
        .iter()
        .map(|(name, sha256, origin)| {
            let text = &warehouse.catalogue().query(name)?.text;
            let anchor = anchor(name);
            let entries = [
                ("name", name.as_str()),
                ("sha256", sha256),
                ("origin", word(origin)),
                ("text", text),
                ("anchor", &anchor),
            ];
            Ok(map(entries))
        })
        .collect::<Result<_>>()?;
    let mut files = Vec::new();
    if let Some(query) = &page.files {
        for row in warehouse.query(query, given)?.rows {
            files.push(file_value(&row)?);
        }
    }
    let mut partials = Sha256::new();
    for name in parts(pages, page) {
        partials.update(name);
        partials.update(pages.sources.get(name).map_or("", |source| source.text.as_str()));
    }
    let partials: String = partials.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let mut footer: BTreeMap<String, Value> = BTreeMap::new();
    footer.insert("page".to_owned(), page.name.as_str().into());
    footer.insert("template_sha256".to_owned(), page.sha256.as_str().into());
    footer.insert("partials_sha256".to_owned(), partials.into());
    footer.insert("template_origin".to_owned(), word(&page.origin).into());
    footer.insert("queries".to_owned(), queries.into());
    footer.insert("files".to_owned(), files.into());
    footer.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
    Ok(Value::from(footer))
}

/// The other template files that a page is laid out with, in order of name: those whose names stand in its template, or in
/// another of them, and what stands around every page of its format.
fn parts<'run>(pages: &'run Pages, page: &'run Page) -> BTreeSet<&'run str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = vec![&page.file];
    match page.format {
        Format::Markdown => open.push(MARKDOWN_FOOTER),
        Format::Html => open.extend_from_slice(&[HTML_FRAME, assets::STYLE, assets::SCRIPT]),
    }
    while let Some(name) = open.pop() {
        let Some((name, source)) = pages.sources.get_key_value(name) else { continue };
        if found.insert(name.as_str()) {
            open.extend(pages.sources.keys().filter(|other| source.text.contains(other.as_str())).map(String::as_str));
        }
    }
    found.remove(page.file.as_str());
    found
}

/// One file: its `name`, and its hash, taken here when the query gives a `path` to read instead.
fn file_value(row: &crate::warehouse::Row) -> Result<Value> {
    let name = row.text("name")?;
    let sha256 = match row.text_or_null("sha256")? {
        Some(sha256) => sha256.to_owned(),
        None => match row.columns().iter().any(|column| column == "path") {
            true => {
                let path = Path::new(row.text("path")?);
                site::fingerprint(path).map_err(|source| Error::File { path: path.to_owned(), source })?.1
            }
            false => "unreadable".to_owned(),
        },
    };
    Ok(map([("name", name), ("sha256", &sha256)]))
}

/// The name of a statement as the name of a place on a page.
pub fn anchor(name: &str) -> String {
    let plain = |character: char| if character.is_ascii_alphanumeric() || character == '_' { character } else { '-' };
    format!("query-{}", name.chars().map(plain).collect::<String>())
}

fn map<const N: usize>(entries: [(&str, &str); N]) -> Value {
    Value::from(
        entries.map(|(key, value)| (key.to_owned(), Value::from(value))).into_iter().collect::<BTreeMap<_, _>>(),
    )
}

fn word(origin: &Origin) -> &'static str {
    match origin {
        Origin::Embedded => "shipped",
        Origin::Project(_) => "project",
    }
}

/// The name of the template that a page's footer says it was made from; nothing when it has no such footer.
pub fn made_from(text: &str) -> Option<&str> {
    text.lines().rev().find_map(|line| {
        let name = line.strip_prefix("- template `").and_then(|rest| rest.split('`').next());
        name.or_else(|| line.strip_prefix("<li>template <code>").and_then(|rest| rest.split('<').next()))
    })
}

/// Compares a page with what its inputs give now; footers first, because they say why a text changed.
pub fn compare(then: &str, now: &str) -> Verdict {
    if then == now {
        return Verdict::Same;
    }
    let footer = |text: &str| -> BTreeSet<String> {
        let lines = text.lines().rev().take_while(|line| !line.starts_with("## ") && *line != FOOTER);
        lines
            .filter_map(|line| line.strip_prefix("- ").or_else(|| line.strip_prefix(ITEM)))
            .map(str::to_owned)
            .collect()
    };
    let (old, new) = (footer(then), footer(now));
    let mut reasons: Vec<String> = old.difference(&new).map(|line| format!("was {line}")).collect();
    reasons.extend(new.difference(&old).map(|line| format!("now {line}")));
    if reasons.is_empty() {
        let lines = then.lines().zip(now.lines()).position(|(then, now)| then != now);
        let at = lines.unwrap_or_else(|| then.lines().count().min(now.lines().count())) + 1;
        reasons.push(format!("its inputs are the same, but the text differs at line {at}: somebody edited it"));
    }
    Verdict::Differs(reasons)
}
