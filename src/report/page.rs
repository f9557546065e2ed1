//! Pages: a template that names its queries, and what comes of both.
//!
//! Reads the `templates/pages` folder embedded in the binary and, when given, a project folder whose files replace or add
//! to it by relative name; runs the queries a template names against a warehouse. Returns text; computes nothing.

mod assets;
mod engine;
mod environment;
mod front;
mod provenance;
mod renderer;
mod rows;

pub use assets::policy_hash;
pub use engine::Write;
pub use provenance::{Verdict, made_from};

use super::{Error, Result};
use crate::warehouse::catalogue::{Catalogue, Origin};
use crate::warehouse::{Parameter, Warehouse};
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

static EMBEDDED: Dir = include_dir!("$CARGO_MANIFEST_DIR/templates/pages");

/// What a template becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A Markdown page.
    Markdown,
    /// A self-contained HTML file.
    Html,
}

/// What a page shows, which decides what its queries are run against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// Evidence of runs, in the warehouse.
    Runs,
    /// Published files that the catalogue names, in tables of schema `site`.
    Published,
}

/// One query of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageQuery {
    /// Its name in the template.
    pub alias: String,
    /// The column whose equal neighbours make one stretch (`key`, `rows`); null for plain rows.
    pub by: Option<String>,
    /// The statement, with its version when it is pinned.
    pub query: String,
    /// Values that the page always gives it, by the names of its parameters.
    pub fixed: Vec<(String, String)>,
}

/// One page: what its template says about itself.
#[derive(Debug, Clone)]
pub struct Page {
    /// File name of the template without `.md.j2`; an HTML page keeps `.html`.
    pub name: String,
    /// File name of the template.
    pub file: String,
    /// What it becomes.
    pub format: Format,
    /// What it shows.
    pub about: About,
    /// Why it exists, in a sentence.
    pub purpose: String,
    /// Path of the page, relative to the folder pages are written to; a template itself when `each` is given.
    pub output: String,
    /// The query that has one row for each page of this kind; null for a single page.
    pub each: Option<String>,
    /// The query that lists the files the page rests on.
    pub files: Option<String>,
    /// Scripts that are run before anything else, on the page's own connection.
    pub prepare: Vec<String>,
    /// Checks that must find nothing, in the order they are run.
    pub checks: Vec<String>,
    /// The queries it lays out.
    pub queries: Vec<PageQuery>,
    /// SHA-256 of the template, lower-case hex.
    pub sha256: String,
    /// Who supplied the template.
    pub origin: Origin,
}

/// One line of the list of pages.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The page.
    pub page: Page,
    /// Name with version, hash and origin of every statement behind it, checks and views included.
    pub queries: Vec<(String, String, Origin)>,
}

#[derive(Debug, Clone)]
struct Source {
    text: String,
    origin: Origin,
}

/// All page templates, by name relative to `templates/pages`.
#[derive(Debug, Clone)]
pub struct Pages {
    sources: BTreeMap<String, Source>,
    pages: BTreeMap<String, Page>,
}

impl Pages {
    /// Loads the embedded templates, then those of the project folder `overrides` (its `templates`), which win by name.
    pub fn load(overrides: Option<&Path>) -> Result<Self> {
        let mut sources = BTreeMap::new();
        add_embedded(&mut sources, &EMBEDDED);
        if let Some(folder) = overrides.map(|folder| folder.join("pages")).filter(|folder| folder.is_dir()) {
            add_folder(&mut sources, &folder, &folder)?;
        }
        let mut pages = BTreeMap::new();
        for (file, source) in &sources {
            let is_page = !file.contains('/') && (file.ends_with(".md.j2") || file.ends_with(".html.j2"));
            if is_page {
                let page = front::parse(file, source)?;
                pages.insert(page.name.clone(), page);
            }
        }
        Ok(Self { sources, pages })
    }

    /// All pages, in order of name, with everything they rest on.
    pub fn list(&self, catalogue: &Catalogue) -> Result<Vec<Listed>> {
        let listed = |page: &Page| Ok(Listed { page: page.clone(), queries: provenance::statements(page, catalogue)? });
        self.pages.values().map(listed).collect()
    }

    /// All pages, in order of name.
    pub fn iter(&self) -> impl Iterator<Item = &Page> {
        self.pages.values()
    }

    /// The page of this name.
    pub fn page(&self, name: &str) -> Result<&Page> {
        self.pages.get(name).ok_or_else(|| {
            let similarity = |known: &&String| strsim::jaro_winkler(name, known);
            let nearest = self.pages.keys().max_by(|one, other| similarity(one).total_cmp(&similarity(other)));
            let suggestion = nearest.filter(|known| similarity(known) > 0.8).cloned();
            Error::UnknownPage { name: name.to_owned(), suggestion }
        })
    }

    /// Renders all pages of one template and hands each to `write`, from several threads and in no particular order.
    ///
    /// `given` are values that queries may bind and templates read as `given.NAME`. [`Error::Check`] when a check of the
    /// page finds something: then nothing was written.
    pub fn render_each(
        &self,
        warehouse: &Warehouse,
        name: &str,
        given: &[(&str, Parameter)],
        write: Write,
    ) -> Result<()> {
        engine::Engine::new(self, warehouse, self.page(name)?, given)?.render(write)
    }

    /// All pages of one template, in order of their paths, see [`Self::render_each`].
    pub fn render(
        &self,
        warehouse: &Warehouse,
        name: &str,
        given: &[(&str, Parameter)],
    ) -> Result<Vec<(String, String)>> {
        let pages = Mutex::new(BTreeMap::new());
        self.render_each(warehouse, name, given, &|path, text| {
            pages.lock().unwrap_or_else(PoisonError::into_inner).insert(path, text);
            Ok(())
        })?;
        Ok(pages.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect())
    }

    /// Renders a template of the folder `view` with these values, in the frame of HTML pages.
    pub fn render_view(&self, name: &str, title: &str, values: &serde_json::Value) -> Result<String> {
        renderer::view(self, &format!("view/{name}.html.j2"), title, values)
    }

    /// Says whether a page that was written earlier is still what its inputs give; if not, what changed.
    ///
    /// Its path must end with the one that pages of this kind have; a single HTML page may be called anything.
    pub fn verify(
        &self,
        warehouse: &Warehouse,
        name: &str,
        given: &[(&str, Parameter)],
        path: &str,
        text: &str,
    ) -> Result<Verdict> {
        let page = self.page(name)?;
        let is_free = page.format == Format::Html && page.each.is_none();
        let now = Mutex::new(None);
        self.render_each(warehouse, name, given, &|found, text| {
            if is_free || Path::new(path).ends_with(&found) {
                now.lock().unwrap_or_else(PoisonError::into_inner).replace(text);
            }
            Ok(())
        })?;
        let now = now.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(now.map_or(Verdict::Gone, |now| provenance::compare(text, &now)))
    }
}

fn add_embedded(sources: &mut BTreeMap<String, Source>, folder: &Dir) {
    for file in folder.files() {
        if let Some(text) = file.contents_utf8() {
            let name = file.path().to_string_lossy().replace('\\', "/");
            sources.insert(name, Source { text: text.to_owned(), origin: Origin::Embedded });
        }
    }
    folder.dirs().for_each(|inner| add_embedded(sources, inner));
}

fn add_folder(sources: &mut BTreeMap<String, Source>, root: &Path, folder: &Path) -> Result<()> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::File { path, source }
    };
    for entry in std::fs::read_dir(folder).map_err(failed(folder))? {
        let path = entry.map_err(failed(folder))?.path();
        if path.is_dir() {
            add_folder(sources, root, &path)?;
        } else if path.extension().is_some_and(|extension| ["j2", "css", "js"].iter().any(|known| extension == *known))
        {
            let text = std::fs::read_to_string(&path).map_err(failed(&path))?;
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            sources.insert(name, Source { text, origin: Origin::Project(path) });
        }
    }
    Ok(())
}
