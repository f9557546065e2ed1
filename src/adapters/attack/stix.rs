//! Reads a STIX 2.1 bundle as MITRE publishes ATT&CK.
//!
//! Reads a value that `source` parsed: intrusion sets, campaigns, malware, tools, attack patterns, courses of action,
//! tactics, collections and relationships. Every other type is passed over; a description is never read.

use super::collector::Collector;
use super::facts::{Entity, Tactic};
use super::fields::{FieldProblem, Record};
use super::identity::Kind;
use super::package::{differs_from, is_taken};
use serde_json::Value;
use std::collections::BTreeSet;

/// Names under which ATT&CK's domains refer to themselves in `external_references` and `kill_chain_phases`.
const ATTACK_SOURCES: [&str; 3] = ["mitre-attack", "mitre-mobile-attack", "mitre-ics-attack"];

/// Collects the facts of a bundle.
pub fn collect(bundle: &Value, collector: &mut Collector) -> Result<(), FieldProblem> {
    let bundle = Record::new(bundle, String::new())?;
    for (index, value) in bundle.list("objects")?.iter().enumerate() {
        let record = Record::new(value, format!("objects[{index}]"))?;
        match record.text("type")? {
            "intrusion-set" => collect_entity(&record, Kind::Group, None, collector)?,
            "campaign" => collect_entity(&record, Kind::Campaign, None, collector)?,
            "malware" => collect_entity(&record, Kind::Software, Some("malware"), collector)?,
            "tool" => collect_entity(&record, Kind::Software, Some("tool"), collector)?,
            "attack-pattern" => collect_entity(&record, Kind::Technique, None, collector)?,
            "course-of-action" => collect_entity(&record, Kind::Mitigation, None, collector)?,
            "x-mitre-tactic" => collect_tactic(&record, collector)?,
            "x-mitre-collection" => collect_version(&record, collector)?,
            "relationship" => collect_relation(&record, collector)?,
            _ => {}
        }
    }
    Ok(())
}

fn is_dropped(record: &Record) -> Result<bool, FieldProblem> {
    Ok(record.flag("revoked")? || record.flag("x_mitre_deprecated")?)
}

fn collect_version(record: &Record, collector: &mut Collector) -> Result<(), FieldProblem> {
    match record.version("x_mitre_version")? {
        Some(version) => {
            collector.version(version).map_err(|earlier| record.problem("x_mitre_version", differs_from(&earlier)))
        }
        None => Ok(()),
    }
}

fn collect_tactic(record: &Record, collector: &mut Collector) -> Result<(), FieldProblem> {
    if is_dropped(record)? {
        return Ok(());
    }
    let tactic = Tactic { id: reference(record)?.tactic_id("external_id")?, name: record.name("name")? };
    let short_name = record.name("x_mitre_shortname")?;
    collector.tactic(short_name, tactic).map_err(|taken| record.problem("x_mitre_shortname", is_taken(&taken)))
}

fn collect_relation(record: &Record, collector: &mut Collector) -> Result<(), FieldProblem> {
    if is_dropped(record)? {
        collector.dropped_relation();
        return Ok(());
    }
    let (from, to) = (record.text("source_ref")?, record.text("target_ref")?);
    collector.relation(from.to_owned(), record.text("relationship_type")?, to.to_owned());
    Ok(())
}

fn collect_entity(
    record: &Record,
    kind: Kind,
    software_type: Option<&'static str>,
    collector: &mut Collector,
) -> Result<(), FieldProblem> {
    if is_dropped(record)? {
        collector.dropped_object();
        return Ok(());
    }
    let alias_field = if kind == Kind::Software { "x_mitre_aliases" } else { "aliases" };
    let mut tactics = BTreeSet::new();
    if kind == Kind::Technique {
        for phase in record.records("kill_chain_phases")? {
            if ATTACK_SOURCES.contains(&phase.text("kill_chain_name")?) {
                tactics.insert(phase.name("phase_name")?);
            }
        }
    }
    let entity = Entity {
        id: reference(record)?.attack_id("external_id", kind)?,
        name: record.name("name")?,
        aliases: record.names(alias_field)?,
        platforms: record.names("x_mitre_platforms")?,
        tactics,
        software_type,
        first_seen: record.month("first_seen")?,
        last_seen: record.month("last_seen")?,
    };
    let stix_id = record.text("id")?.to_owned();
    collector.entity(stix_id, entity).map_err(|taken| record.problem("id", is_taken(&taken)))
}

/// Finds the reference that carries the object's ATT&CK identifier.
fn reference<'a>(record: &Record<'a>) -> Result<Record<'a>, FieldProblem> {
    for reference in record.records("external_references")? {
        if ATTACK_SOURCES.contains(&reference.text("source_name")?) {
            return Ok(reference);
        }
    }
    Err(record.problem("external_references", "has no ATT&CK identifier"))
}
