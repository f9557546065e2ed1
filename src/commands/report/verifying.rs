//! `ragsql report --verify FILE`: whether a page is still what its inputs give.

use super::Material;
use crate::commands::Ended;
use crate::error::{Failure, Kind, Result};
use crate::report::page::{Verdict, made_from};
use crate::ui;
use std::path::Path;

/// Says that a page is current, or what changed; the exit code says the same.
pub fn verify(material: &Material, file: &Path) -> Result<Ended> {
    let shown = material.context.shown(file);
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::new(Kind::Input, format!("cannot read `{shown}`: {error}")))?;
    let Some(name) = made_from(&text) else {
        return Err(Failure::new(Kind::Input, format!("`{shown}` does not end like a page of this program")));
    };
    let page = material.pages.page(name)?;
    material.refuse_without(page.about)?;
    let given = material.given(page);
    let path = file.to_string_lossy();
    let verdict = material.pages.verify(&material.warehouse(page.about)?, name, &given, &path, &text)?;
    match verdict {
        Verdict::Same => {
            ui::data(&format!("{shown} is what its inputs give\n"));
            Ok(Ended::Done)
        }
        Verdict::Gone => {
            ui::data(&format!("{shown}: today's inputs give no such page\n"));
            Ok(Ended::WithFailures)
        }
        Verdict::Differs(reasons) => {
            ui::data(&format!("{shown} is not what its inputs give\n"));
            for reason in reasons {
                ui::data(&format!("  {reason}\n"));
            }
            Ok(Ended::WithFailures)
        }
    }
}
