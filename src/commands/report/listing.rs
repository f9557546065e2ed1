//! `ragsql report --list`: the pages, and what each rests on.

use crate::commands::Ended;
use crate::commands::context::Context;
use crate::error::Result;
use crate::report::page::{About, Pages};
use crate::ui;
use crate::warehouse::catalogue::Origin;
use serde_json::json;

/// Prints every page with its purpose, place, and statements with version, hash and origin.
pub fn list(context: &Context) -> Result<Ended> {
    let own = Some(context.project.join("templates")).filter(|folder| folder.is_dir());
    let listed = Pages::load(own.as_deref())?.list(&context.catalogue)?;
    let origin = |origin: &Origin| match origin {
        Origin::Embedded => "shipped".to_owned(),
        Origin::Project(path) => context.shown(path),
    };
    let pages: Vec<_> = listed
        .iter()
        .map(|listed| {
            let statements: Vec<_> = listed
                .queries
                .iter()
                .map(|(name, sha256, from)| {
                    json!({"name": name, "sha256": sha256.get(..12).unwrap_or(sha256), "origin": origin(from)})
                })
                .collect();
            let folder = match listed.page.about {
                About::Published => "docs",
                About::Runs => "compare/results/pages",
            };
            json!({
                "name": listed.page.name,
                "purpose": listed.page.purpose,
                "place": format!("{folder}/{}", listed.page.output),
                "template": listed.page.file,
                "sha256": listed.page.sha256.get(..12).unwrap_or(&listed.page.sha256),
                "origin": origin(&listed.page.origin),
                "statements": statements,
            })
        })
        .collect();
    ui::data(&context.templates.render("terminal/pages.txt", &json!({"pages": pages}))?);
    Ok(Ended::Done)
}
