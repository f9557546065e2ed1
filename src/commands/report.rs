//! `ragsql report`: the results pages.
//!
//! Everything is rendered before the first file is replaced, so a page that cannot be made leaves all others as they were.

mod listing;
mod material;
mod published;
mod staging;
mod verifying;

pub use material::Material;

use super::Ended;
use super::context::Context;
use super::output::write_whole;
use crate::cli::ReportArgs;
use crate::error::{Failure, Kind, Result};
use crate::report::page::{About, Format, Page};
use crate::report::{self, leaderboard};
use crate::ui;
use crate::warehouse::Warehouse;
use staging::Staging;
use std::path::{Path, PathBuf};

/// The page that `--html` means when none is named.
const HTML_PAGE: &str = "report.html";
/// Says which published files the leaderboards miss.
const NAMED_CHECK: &str = "checks/fail_leaderboard_snapshots_named";

/// Lists, writes or verifies pages.
pub fn report(context: &Context, arguments: &ReportArgs) -> Result<Ended> {
    if arguments.list {
        return listing::list(context);
    }
    let material = Material::open(context, arguments.run.as_deref())?;
    match (&arguments.verify, &arguments.html, &arguments.page) {
        (Some(file), _, _) => verifying::verify(&material, &context.path(file)),
        (None, Some(file), name) => html(&material, name.as_deref(), &context.path(file)),
        (None, None, Some(name)) => {
            let page = material.pages.page(name)?.clone();
            material.refuse_without(page.about)?;
            write(&material, &[page], arguments.output.as_deref().map(|folder| context.path(folder)))
        }
        (None, None, None) => whole(&material, arguments.output.as_deref().map(|folder| context.path(folder))),
    }
}

/// Writes every Markdown page that there is something for.
fn whole(material: &Material, output: Option<PathBuf>) -> Result<Ended> {
    if !material.has(About::Runs) && !material.has(About::Published) {
        let message = "there is no run yet, and the catalogue names no published files";
        return Err(Failure::new(Kind::Input, message).hint("`ragsql run` makes a run"));
    }
    let wanted: Vec<Page> = material
        .pages
        .iter()
        .filter(|page| page.format == Format::Markdown && material.has(page.about))
        .cloned()
        .collect();
    if !material.has(About::Published) {
        ui::status("published         none: no dataset of the catalogue names published files, so docs was left alone");
    }
    write(material, &wanted, output)
}

fn write(material: &Material, pages: &[Page], output: Option<PathBuf>) -> Result<Ended> {
    let mut staging = Staging::default();
    for about in [About::Published, About::Runs] {
        let pages: Vec<&Page> = pages.iter().filter(|page| page.about == about).collect();
        if pages.is_empty() {
            continue;
        }
        let folder = output.clone().unwrap_or_else(|| material.folder(about));
        let warehouse = material.warehouse(about)?;
        for page in &pages {
            add_page(material, &warehouse, page, &folder, &mut staging)?;
        }
    }
    for (folder, files_n) in staging.publish()? {
        let files = if files_n == 1 { "1 file".to_owned() } else { format!("{files_n} files") };
        ui::status(&format!("wrote {files} below {}", material.context.shown(&folder)));
    }
    Ok(Ended::Done)
}

/// Renders a page, and the tables for programs that belong to the leaderboards.
fn add_page(
    material: &Material,
    warehouse: &Warehouse,
    page: &Page,
    folder: &Path,
    staging: &mut Staging,
) -> Result<()> {
    let mut failed = None;
    warehouse_pages(material, warehouse, page, &mut |path, text| {
        failed = failed.take().or_else(|| staging.add(folder, &path, &text).err());
    })?;
    failed.map_or(Ok(()), Err)?;
    if page.name == "evaluation-results" {
        staging.add(folder, "leaderboards/leaderboards.json", &leaderboard::json(warehouse)?)?;
        for (table, text) in leaderboard::csv(warehouse)? {
            staging.add(folder, &format!("leaderboards/{table}.csv"), &text)?;
        }
    }
    Ok(())
}

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

/// Makes every Markdown page about published files again, each by itself, so that one that cannot be made keeps no other
/// from being current.
pub fn refresh_published(material: &Material) -> Result<Refreshed> {
    let mut refreshed = Refreshed::default();
    if !material.has(About::Published) {
        return Ok(refreshed);
    }
    let warehouse = material.warehouse(About::Published)?;
    for row in &warehouse.query(NAMED_CHECK, &[])?.rows {
        refreshed.waits_for.push(row.text("message").map_err(report::Error::from)?.to_owned());
    }
    let folder = material.folder(About::Published);
    let is_wanted = |page: &&Page| page.format == Format::Markdown && page.about == About::Published;
    for page in material.pages.iter().filter(is_wanted) {
        if !refreshed.waits_for.is_empty() && page.checks.iter().any(|check| check.starts_with(NAMED_CHECK)) {
            continue;
        }
        let mut staging = Staging::default();
        match add_page(material, &warehouse, page, &folder, &mut staging) {
            Ok(()) => {
                staging.publish()?;
                refreshed.written.push(page.output.clone());
            }
            Err(failure) => refreshed.refused.push((page.output.clone(), failure)),
        }
    }
    Ok(refreshed)
}

fn warehouse_pages(
    material: &Material,
    warehouse: &Warehouse,
    page: &Page,
    write: &mut dyn FnMut(String, String),
) -> Result<()> {
    let given = material.given(page);
    let values: Vec<_> = given.iter().map(|(name, value)| (*name, value.clone())).collect();
    material.pages.render_each(warehouse, &page.name, &values, &mut |path, text| {
        write(path, text);
        Ok::<(), report::Error>(())
    })?;
    Ok(())
}

/// Writes one HTML page to a file of any name.
fn html(material: &Material, name: Option<&str>, file: &Path) -> Result<Ended> {
    let page = material.html_page(name)?.clone();
    material.refuse_without(page.about)?;
    let text = material.html(&page)?;
    write_whole(file, text.as_bytes())?;
    ui::status(&format!("wrote {} ({} bytes)", material.context.shown(file), text.len()));
    Ok(Ended::Done)
}
