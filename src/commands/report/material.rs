//! What pages are made from: templates, the warehouse of runs, the published files, and the values that pages are given.

use super::{HTML_PAGE, published};
use crate::commands::context::Context;
use crate::commands::runs::Runs;
use crate::error::{Failure, Kind, Result};
use crate::report::page::{About, Format, Page, Pages, Write};
use crate::report::site::{self, SiteInputs};
use crate::warehouse::{Parameter, Warehouse};
use std::path::PathBuf;

/// Everything there is to report on.
pub struct Material<'context> {
    /// The project.
    pub context: &'context Context,
    /// Shipped templates, and the project's own.
    pub pages: Pages,
    published: Option<SiteInputs>,
    run_id: Option<String>,
    runs: Runs,
}

impl<'context> Material<'context> {
    /// Brings the warehouse level and reads what is published; a run that is named must exist.
    pub fn open(context: &'context Context, run_id: Option<&str>) -> Result<Self> {
        let own = Some(context.project.join("templates")).filter(|folder| folder.is_dir());
        let pages = Pages::load(own.as_deref())?;
        let published = published::inputs(context)?;
        let runs = Runs::open(context)?;
        run_id.map_or(Ok(()), |named| runs.refuse_unknown(named))?;
        Ok(Self { context, pages, published, run_id: run_id.map(str::to_owned), runs })
    }

    /// Whether there is something of this kind.
    pub fn has(&self, about: About) -> bool {
        match about {
            About::Runs => !self.runs.ids.is_empty(),
            About::Published => self.published.as_ref().is_some_and(published::names_files),
        }
    }

    /// Whether a run is called so.
    pub fn has_run(&self, name: &str) -> bool {
        self.runs.ids.iter().any(|run| run == name)
    }

    /// Refuses a page for which there is nothing at all.
    pub fn refuse_without(&self, about: About) -> Result<()> {
        if self.has(about) {
            return Ok(());
        }
        let said = |message: &str| Failure::new(Kind::Input, message);
        Err(match about {
            About::Runs => said("there is no run yet").hint("`ragsql run` makes one"),
            About::Published if self.published.is_none() => {
                said("the project has no compare/evaluation.yaml, so nothing says what is published")
            }
            About::Published => said("compare/evaluation.yaml names no published file"),
        })
    }

    /// Where pages of this kind go when nobody says otherwise.
    pub fn folder(&self, about: About) -> PathBuf {
        match about {
            About::Published => self.context.project.join("docs"),
            About::Runs => self.context.results().join("pages"),
        }
    }

    /// What the queries of such pages run against.
    pub fn warehouse(&self, about: About) -> Result<Warehouse<'context>> {
        match about {
            About::Runs => self.runs.warehouse(self.context),
            About::Published => {
                let warehouse = Warehouse::in_memory(&self.context.catalogue)?;
                if let Some(inputs) = &self.published {
                    site::load(&warehouse, inputs)?;
                }
                Ok(warehouse)
            }
        }
    }

    /// The values that a page's queries may bind and its template reads.
    pub fn given(&self, page: &Page) -> Vec<(&'static str, Parameter)> {
        let name = page.name.trim_end_matches(".html");
        let mut given = match &self.published {
            Some(inputs) => site::given(inputs, name).to_vec(),
            None => site::given(&SiteInputs { name: published::SITE_NAME.to_owned(), ..SiteInputs::default() }, name)
                .to_vec(),
        };
        given.push(("run_id", self.run_id.as_deref().into()));
        given
    }

    /// The HTML page of this name, with or without its ending; the report when none is named.
    pub fn html_page(&self, name: Option<&str>) -> Result<&Page> {
        let name = name.unwrap_or(HTML_PAGE);
        let page = match self.pages.iter().find(|page| page.name == format!("{name}.html")) {
            Some(page) => page,
            None => self.pages.page(name)?,
        };
        if page.format != Format::Html {
            let known: Vec<&str> =
                self.pages.iter().filter(|page| page.format == Format::Html).map(|page| page.name.as_str()).collect();
            let failure = Failure::new(Kind::Input, format!("the page `{name}` is no HTML page"));
            return Err(failure.hint(format!("HTML pages are: {}", known.join(", "))));
        }
        Ok(page)
    }

    /// Renders all pages of one kind, see [`Pages::render_each`].
    pub fn render(&self, warehouse: &Warehouse, page: &Page, write: Write) -> Result<()> {
        Ok(self.pages.render_each(warehouse, &page.name, &self.given(page), write)?)
    }

    /// The text of an HTML page.
    pub fn html(&self, page: &Page) -> Result<String> {
        let given = self.given(page);
        let pages = self.pages.render(&self.warehouse(page.about)?, &page.name, &given)?;
        Ok(pages.into_iter().next().map(|(_, text)| text).unwrap_or_default())
    }
}
