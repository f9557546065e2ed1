//! The pages about published files, each made by itself.
//!
//! Reads what the catalogue names; writes below `docs`. A page that cannot be made keeps no other from being current.

use super::material::Material;
use super::staging::Staging;
use crate::error::{Failure, Result};
use crate::report::leaderboard;
use crate::report::page::{About, Format, Page};
use crate::warehouse::Warehouse;

/// Says which published files the leaderboards miss.
const NAMED_CHECK: &str = "checks/fail_leaderboard_snapshots_named";

/// What came of the pages about published files.
#[derive(Debug, Default)]
pub struct Refreshed {
    /// Pages that were written.
    pub written: Vec<String>,
    /// What the catalogue does not name yet; pages that need it were left as they were.
    pub waits_for: Vec<String>,
    /// Pages whose inputs contradict each other, with what was found; they were left as they were.
    pub refused: Vec<(String, Failure)>,
}

/// Makes every Markdown page about published files again.
pub fn refresh_published(material: &Material) -> Result<Refreshed> {
    let mut refreshed = Refreshed::default();
    if !material.has(About::Published) {
        return Ok(refreshed);
    }
    let warehouse = material.warehouse(About::Published)?;
    for row in &warehouse.query(NAMED_CHECK, &[])?.rows {
        refreshed.waits_for.push(row.text("message")?.to_owned());
    }
    let folder = material.folder(About::Published);
    let is_wanted = |page: &&Page| page.format == Format::Markdown && page.about == About::Published;
    for page in material.pages.iter().filter(is_wanted) {
        if !refreshed.waits_for.is_empty() && page.checks.iter().any(|check| check.starts_with(NAMED_CHECK)) {
            continue;
        }
        let staging = Staging::below(&folder);
        match add_page(material, &warehouse, page, &staging) {
            Ok(()) => {
                staging.publish()?;
                refreshed.written.push(page.output.clone());
            }
            Err(failure) => refreshed.refused.push((page.output.clone(), failure)),
        }
    }
    Ok(refreshed)
}

/// Renders a page, and the tables for programs that belong to the leaderboards.
pub fn add_page(material: &Material, warehouse: &Warehouse, page: &Page, staging: &Staging) -> Result<()> {
    material.render(warehouse, page, &|path, text| staging.add(&path, &text))?;
    if page.name == "evaluation-results" {
        staging.add("leaderboards/leaderboards.json", &leaderboard::json(warehouse)?)?;
        for (table, text) in leaderboard::csv(warehouse)? {
            staging.add(&format!("leaderboards/{table}.csv"), &text)?;
        }
    }
    Ok(())
}
