//! What templates of pages can say: how values are escaped, which filters and charts there are.
//!
//! Reads the template sources; returns an environment. Every value is escaped for the page it stands on unless the
//! template says otherwise, so hostile text cannot become markup by omission: Markdown in `.md.j2`, HTML in `.html.j2`.

use super::{Pages, provenance};
use crate::report::{Error, Result, chart, escape};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

const MARKDOWN: &str = "markdown";
const HTML: &str = "html";

/// Prepares the templates of all pages.
pub fn environment(pages: &Pages) -> Result<Environment<'_>> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment
        .set_syntax(syntax.map_err(|error| Error::Page { template: "pages".to_owned(), reason: error.to_string() })?);
    environment.set_auto_escape_callback(|name| match name {
        name if name.ends_with(".md.j2") => AutoEscape::Custom(MARKDOWN.into()),
        name if name.ends_with(".html.j2") => AutoEscape::Custom(HTML.into()),
        _ => AutoEscape::None,
    });
    environment.set_formatter(|output, state, value| {
        let language = match state.auto_escape() {
            AutoEscape::Custom(language) if !value.is_safe() => language.as_ref(),
            _ => "",
        };
        let escaped = match (language, value.as_str()) {
            (MARKDOWN, Some(text)) => Some(escape::markdown(text)),
            (HTML, Some(text)) => Some(escape::html(text)),
            _ => None,
        };
        match escaped {
            Some(text) => output.write_str(&text).map_err(minijinja::Error::from),
            None if value.is_none() => output.write_str("-").map_err(minijinja::Error::from),
            None => minijinja::escape_formatter(output, state, value)
                .or_else(|_| output.write_str(&value.to_string()).map_err(minijinja::Error::from)),
        }
    });
    let text = |value: &Value| if value.is_none() { "-".to_owned() } else { value.to_string() };
    environment.add_filter("html", move |value: &Value| Value::from_safe_string(escape::html(&text(value))));
    environment.add_filter("code", move |value: &Value| Value::from_safe_string(escape::code(&text(value))));
    environment.add_filter("fenced", move |value: &Value| Value::from_safe_string(escape::fenced(&text(value))));
    // What a table is sorted by: nothing where there is no value, so that it comes last in both directions.
    environment.add_filter("sort_value", |value: &Value| {
        let text = if value.is_none() { String::new() } else { value.to_string() };
        Value::from_safe_string(escape::html(&text))
    });
    environment.add_filter("url_part", |text: &str| escape::url_part(text));
    environment.add_filter("query_anchor", |name: &str| provenance::anchor(name));
    chart::add_to(&mut environment);
    for (name, source) in pages.sources.iter().filter(|(name, _)| name.ends_with(".j2")) {
        let added = environment.add_template_owned(name.as_str(), source.text.as_str());
        added.map_err(|error| Error::Page {
            template: format!("pages/{name}"),
            reason: format!("line {}: {error}", error.line().unwrap_or(0)),
        })?;
    }
    Ok(environment)
}
