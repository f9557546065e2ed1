//! A whole results site in one call.
//!
//! Reads [`SiteInputs`] and the files they name into a warehouse in memory; returns the text of every page and table.

use super::{SiteInputs, load};
use crate::report::page::Pages;
use crate::report::{Result, leaderboard};
use crate::warehouse::catalogue::Catalogue;
use crate::warehouse::{Parameter, Warehouse};
use std::path::Path;

/// The pages of a results site, in the order they are made, with the titles they have when nobody gives others.
const SITE_PAGES: [(&str, &str); 3] = [
    ("evaluation-results", "evaluation results"),
    ("dataset-complexity-report", "dataset complexity report"),
    ("results-ledger", "published results"),
];

/// Renders the site: (path relative to the documentation folder, text) each, tables for programs included.
///
/// `templates` is a project's own `templates` folder, whose files win by relative name.
pub fn render_all(
    inputs: &SiteInputs,
    catalogue: &Catalogue,
    templates: Option<&Path>,
) -> Result<Vec<(String, String)>> {
    let warehouse = Warehouse::in_memory(catalogue)?;
    load(&warehouse, inputs)?;
    let pages = Pages::load(templates)?;
    let mut site = Vec::new();
    for (name, _) in SITE_PAGES {
        site.extend(pages.render(&warehouse, name, &given(inputs, name))?);
    }
    site.push(("leaderboards/leaderboards.json".to_owned(), leaderboard::json(&warehouse)?));
    for (table, text) in leaderboard::csv(&warehouse)? {
        site.push((format!("leaderboards/{table}.csv"), text));
    }
    Ok(site)
}

/// The values that pages of a site read as `given.NAME`: `site_name` and the `title` of the page.
pub fn given(inputs: &SiteInputs, page: &str) -> [(&'static str, Parameter); 2] {
    let plain = SITE_PAGES.iter().find(|(name, _)| *name == page).map_or(page, |(_, title)| title);
    let title = inputs.titles.get(page).cloned().unwrap_or_else(|| format!("{}: {plain}", inputs.name));
    [("site_name", Parameter::Text(inputs.name.clone())), ("title", Parameter::Text(title))]
}
