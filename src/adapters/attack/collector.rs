//! Joins what `stix` or `package` found into [`Facts`].
//!
//! Reads no file. Relations may arrive before the objects they join; those that no dossier can tell are counted.

use super::facts::{Entity, Facts, Relation, Tactic, Verb};
use super::identity::AttackId;
use std::collections::HashMap;

/// Collects facts under their STIX ids and joins them at the end.
#[derive(Debug, Default)]
pub struct Collector {
    facts: Facts,
    ids: HashMap<String, AttackId>,
    statements: Vec<(String, Option<Verb>, String)>,
}

impl Collector {
    /// States ATT&CK's version; the error is another version that was stated before.
    pub fn version(&mut self, version: String) -> Result<(), String> {
        match self.facts.version.take() {
            Some(earlier) if earlier != version => Err(earlier),
            _ => {
                self.facts.version = Some(version);
                Ok(())
            }
        }
    }

    /// Adds a tactic; the error is the short name that is already taken.
    pub fn tactic(&mut self, short_name: String, tactic: Tactic) -> Result<(), String> {
        match self.facts.tactics.contains_key(&short_name) {
            true => Err(short_name),
            false => {
                self.facts.tactics.insert(short_name, tactic);
                Ok(())
            }
        }
    }

    /// Adds an active object; the error is the identifier or STIX id that is already taken.
    pub fn entity(&mut self, stix_id: String, entity: Entity) -> Result<(), String> {
        if self.facts.entities.contains_key(&entity.id) {
            return Err(entity.id.to_string());
        }
        if self.ids.contains_key(&stix_id) {
            return Err(stix_id);
        }
        self.ids.insert(stix_id, entity.id.clone());
        self.facts.entities.insert(entity.id.clone(), entity);
        Ok(())
    }

    /// Counts a revoked or deprecated object.
    pub fn dropped_object(&mut self) {
        self.facts.dropped_objects_n += 1;
    }

    /// Counts a revoked or deprecated relation.
    pub fn dropped_relation(&mut self) {
        self.facts.ignored_relations_n += 1;
    }

    /// Adds a relation between two STIX ids, which may be of objects that come later or were dropped.
    pub fn relation(&mut self, from: String, relationship_type: &str, to: String) {
        self.statements.push((from, Verb::parse(relationship_type), to));
    }

    /// Joins relations with objects. The error names a technique and the short name of a tactic nobody defined.
    pub fn finish(mut self) -> Result<Facts, (AttackId, String)> {
        for entity in self.facts.entities.values() {
            if let Some(unknown) = entity.tactics.iter().find(|name| !self.facts.tactics.contains_key(*name)) {
                return Err((entity.id.clone(), unknown.clone()));
            }
        }
        for (from, verb, to) in self.statements {
            match (self.ids.get(&from), verb, self.ids.get(&to)) {
                (Some(from), Some(verb), Some(to)) if from != to && verb.joins(from.kind(), to.kind()) => {
                    self.facts.relations.insert(Relation { from: from.clone(), verb, to: to.clone() });
                }
                _ => self.facts.ignored_relations_n += 1,
            }
        }
        Ok(self.facts)
    }
}
