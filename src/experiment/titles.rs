//! `docs/manifest.yaml`: the name of a documentation site and the titles of its pages (`contract/evaluation.md` section 10).
//!
//! Reads that one file; writes nothing. A project without it has no titles of its own.

use super::document::{Document, Format};
use super::fields::{Check, Fields};
use super::problem::Problems;
use std::collections::BTreeMap;
use std::path::Path;

/// What the manifest calls the site and its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Titles {
    /// Name of the site; null without a manifest.
    pub site_name: Option<String>,
    /// First heading of a page by its source, relative to `docs/`: number and title, or the title alone.
    pub pages: BTreeMap<String, String>,
}

/// Reads the manifest of a project; a missing one gives no titles, a wrong one its problems.
pub fn load(project: &Path) -> Result<Titles, Problems> {
    let path = project.join("docs/manifest.yaml");
    if !path.exists() {
        return Ok(Titles::default());
    }
    let mut problems = Problems::default();
    let titles = Document::read(&path, "docs/manifest.yaml", Format::Yaml, &mut problems)
        .and_then(|document| titles(&document, &mut Check::new(&document, &mut problems)));
    problems.into_result(titles)
}

fn titles(document: &Document, check: &mut Check) -> Option<Titles> {
    let root = document.root.as_ref()?;
    let fields = Fields::open(root, "documentation manifest", &["site_name", "site_description", "sections"], check)?;
    let site_name = fields.required("site_name", check, Check::text);
    fields.optional("site_description", None, check, Check::text_or_null);
    let mut pages = BTreeMap::new();
    for section in fields.required("sections", check, Check::list).unwrap_or_default() {
        let Some(section) = Fields::open(section, "section", &["title", "pages"], check) else { continue };
        section.required("title", check, Check::text);
        for page in section.required("pages", check, Check::list).unwrap_or_default() {
            let known = ["number", "title", "source", "display_number"];
            let Some(page) = Fields::open(page, "page", &known, check) else { continue };
            let number = page.required("number", check, Check::identifier);
            let title = page.required("title", check, Check::text);
            let source = page.required("source", check, Check::text);
            let is_numbered = page.optional("display_number", true, check, Check::switch);
            let (Some(number), Some(title), Some(source)) = (number, title, source) else { continue };
            let heading = if is_numbered == Some(false) { title } else { format!("{number} {title}") };
            pages.insert(source.trim_start_matches("docs/").to_owned(), heading);
        }
    }
    Some(Titles { site_name: Some(site_name?), pages })
}
