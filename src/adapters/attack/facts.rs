//! ATT&CK facts as checked values, whatever file they came from.
//!
//! Pure values in an order that depends on identifiers alone; `collector` makes them.

use super::identity::{AttackId, Kind};
use super::month::Month;
use std::collections::{BTreeMap, BTreeSet};

/// One active object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    /// Its identifier.
    pub id: AttackId,
    /// Its name: not empty, one line.
    pub name: String,
    /// Names ATT&CK lists for it, sorted; may repeat the name itself.
    pub aliases: Vec<String>,
    /// Platforms, sorted; empty when ATT&CK names none or the kind has none.
    pub platforms: Vec<String>,
    /// Short names of tactics, as in [`Facts::tactics`]; techniques only.
    pub tactics: BTreeSet<String>,
    /// `malware` or `tool`; software only.
    pub software_type: Option<&'static str>,
    /// Month of the first activity; campaigns only.
    pub first_seen: Option<Month>,
    /// Month of the last activity; campaigns only.
    pub last_seen: Option<Month>,
}

/// A tactic, which techniques refer to by short name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tactic {
    /// `TA0011`.
    pub id: String,
    /// `Command and Control`.
    pub name: String,
}

/// What a relation says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// A campaign is attributed to a group.
    AttributedTo,
    /// A mitigation mitigates a technique.
    Mitigates,
    /// A technique is a sub-technique of a technique.
    SubtechniqueOf,
    /// A group, campaign or software uses software or a technique.
    Uses,
}

impl Verb {
    /// The verb of a STIX `relationship_type`; null for those no dossier tells, such as `detects` or `revoked-by`.
    pub fn parse(relationship_type: &str) -> Option<Self> {
        Some(match relationship_type {
            "attributed-to" => Verb::AttributedTo,
            "mitigates" => Verb::Mitigates,
            "subtechnique-of" => Verb::SubtechniqueOf,
            "uses" => Verb::Uses,
            _ => return None,
        })
    }

    /// Says whether ATT&CK joins two kinds this way.
    pub fn joins(self, from: Kind, to: Kind) -> bool {
        match self {
            Verb::AttributedTo => from == Kind::Campaign && to == Kind::Group,
            Verb::Mitigates => from == Kind::Mitigation && to == Kind::Technique,
            Verb::SubtechniqueOf => from == Kind::Technique && to == Kind::Technique,
            Verb::Uses => match to {
                Kind::Software => matches!(from, Kind::Group | Kind::Campaign),
                Kind::Technique => matches!(from, Kind::Group | Kind::Campaign | Kind::Software),
                _ => false,
            },
        }
    }
}

/// One statement about two active objects.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Relation {
    /// The subject.
    pub from: AttackId,
    /// What is said.
    pub verb: Verb,
    /// The object.
    pub to: AttackId,
}

/// Everything a build works with.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// ATT&CK's version; null when the source states none.
    pub version: Option<String>,
    /// Active objects by identifier.
    pub entities: BTreeMap<AttackId, Entity>,
    /// Tactics by short name.
    pub tactics: BTreeMap<String, Tactic>,
    /// Statements, each once.
    pub relations: BTreeSet<Relation>,
    /// Revoked or deprecated objects.
    pub dropped_objects_n: usize,
    /// Relations that are not in `relations` and do not repeat one that is.
    pub ignored_relations_n: usize,
}
