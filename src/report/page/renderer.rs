//! Templates of one page kind, and the text they give.
//!
//! Reads the templates and what all pages of the kind share; returns texts. Knows no statements, so that several threads
//! can lay out pages at once.

use super::environment::environment;
use super::rows::Map;
use super::{Format, Page, Pages, assets};
use crate::report::templates::from_json;
use crate::report::{Error, Result};
use minijinja::Environment;
use minijinja::value::Value;

/// What every Markdown page ends with.
pub const MARKDOWN_FOOTER: &str = "partials/provenance.md.j2";

/// What stands around every HTML page.
pub const HTML_FRAME: &str = "partials/document.html.j2";

/// Lays out the pages of one kind.
pub struct Renderer<'run> {
    page: &'run Page,
    environment: Environment<'run>,
    shared: Map,
    footer: String,
    assets: Option<Value>,
}

impl<'run> Renderer<'run> {
    /// Prepares the templates; `shared` are the values that all pages of the kind can read.
    pub fn new(pages: &'run Pages, page: &'run Page, shared: Map) -> Result<Self> {
        let mut renderer = Self { page, environment: environment(pages)?, shared, footer: String::new(), assets: None };
        match page.format {
            Format::Html => renderer.assets = Some(assets::value(pages)?),
            Format::Markdown => {
                let values: Map = renderer.shared.clone();
                let footer = renderer.environment.get_template(MARKDOWN_FOOTER);
                let footer = footer.and_then(|template| template.render(Value::from(values)));
                renderer.footer = footer.map_err(|error| renderer.explain(&error))?.trim().to_owned();
            }
        }
        Ok(renderer)
    }

    /// The path of a page with these values of its own, and its text.
    pub fn lay_out(&self, own: Map) -> Result<(String, String)> {
        let context = Value::from(self.shared.clone().into_iter().chain(own).collect::<Map>());
        let path = match self.page.each {
            Some(_) => {
                self.environment.render_str(&self.page.output, &context).map_err(|error| self.explain(&error))?
            }
            None => self.page.output.clone(),
        };
        let template = self.environment.get_template(&self.page.file).map_err(|error| self.explain(&error))?;
        let body = template.render(&context).map_err(|error| self.explain(&error))?;
        match &self.assets {
            Some(assets) => Ok((path, self.framed(&context, body, assets)?)),
            None => Ok((path, format!("{}\n\n{}\n", body.trim(), self.footer))),
        }
    }

    /// The body of an HTML page in the frame that all of them share.
    fn framed(&self, context: &Value, body: String, assets: &Value) -> Result<String> {
        let frame = [("body", Value::from_safe_string(body)), ("assets", assets.clone())];
        let frame: Map = frame.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        let whole = minijinja::context! { ..Value::from(frame), ..context.clone() };
        let document = self.environment.get_template(HTML_FRAME);
        document.and_then(|page| page.render(whole)).map_err(|error| self.explain(&error))
    }

    fn explain(&self, error: &minijinja::Error) -> Error {
        let template = format!("pages/{}", error.name().unwrap_or(&self.page.file));
        let line = error.line().map(|line| format!("line {line}: ")).unwrap_or_default();
        let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
        Error::Page { template, reason: format!("{line}{}{detail}", error.kind()) }
    }
}

/// A page without queries: a template with given values, in the frame of HTML pages.
pub fn view(pages: &Pages, file: &str, title: &str, values: &serde_json::Value) -> Result<String> {
    let wrong = |error: minijinja::Error| Error::Page { template: format!("pages/{file}"), reason: error.to_string() };
    let environment = environment(pages)?;
    let body = environment.get_template(file).and_then(|template| template.render(from_json(values))).map_err(wrong)?;
    let given = Value::from([("title".to_owned(), Value::from(title))].into_iter().collect::<Map>());
    let frame = [
        ("given".to_owned(), given),
        ("body".to_owned(), Value::from_safe_string(body)),
        ("assets".to_owned(), assets::value(pages)?),
    ];
    let document = environment.get_template(HTML_FRAME);
    document.and_then(|page| page.render(Value::from(frame.into_iter().collect::<Map>()))).map_err(wrong)
}
