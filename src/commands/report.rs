//! `ragsql report`: the results pages.
//!
//! Everything is rendered before the first file is replaced, so a page that cannot be made leaves all others as they were.

mod listing;
mod material;
mod published;
mod refresh;
mod staging;
mod verifying;

pub use material::Material;
pub use refresh::{Refreshed, refresh_published};

use super::Ended;
use super::context::Context;
use super::output::write_whole;
use crate::cli::ReportArgs;
use crate::error::{Failure, Kind, Result};
use crate::report::page::{About, Format, Page};
use crate::ui;
use staging::Staging;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The page that `--html` means when none is named.
const HTML_PAGE: &str = "report.html";

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
            let page = material.pages.page(name).map_err(|error| {
                let failure = Failure::from(error);
                match material.has_run(name) {
                    true => failure.hint(format!("for the pages of the run: `ragsql report --run {name}`")),
                    false => failure,
                }
            })?;
            let page = page.clone();
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
    let mut folders: BTreeMap<PathBuf, Staging> = BTreeMap::new();
    for about in [About::Published, About::Runs] {
        let pages: Vec<&Page> = pages.iter().filter(|page| page.about == about).collect();
        if pages.is_empty() {
            continue;
        }
        let folder = output.clone().unwrap_or_else(|| material.folder(about));
        let staging = folders.entry(folder.clone()).or_insert_with(|| Staging::below(&folder));
        let warehouse = material.warehouse(about)?;
        for page in &pages {
            refresh::add_page(material, &warehouse, page, staging)?;
        }
    }
    for (folder, staging) in folders {
        let files_n = staging.publish()?;
        let files = if files_n == 1 { "1 file".to_owned() } else { format!("{files_n} files") };
        ui::status(&format!("wrote {files} below {}", material.context.shown(&folder)));
    }
    Ok(Ended::Done)
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
