//! Merging what was read from chunks into one graph.
//!
//! Things are one when their normalised names are equal, or when exactly one thing claims the other's name as an alias.
//! Pure and deterministic: chunks in order in, rows in order out.

use super::name::normalised;
use super::summary::summarise;
use crate::gateway::corpus::{EntityRow, MentionRow, RelationRow, Subject};
use crate::gateway::roles::{ExtractedEntity, Extraction};
use std::collections::{BTreeMap, BTreeSet};

/// So many kinds of a relation are kept, the most frequent ones.
const MOST_KINDS: usize = 4;

/// A graph ready to be stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    /// In the order of the normalised name.
    pub entities: Vec<EntityRow>,
    /// In the order of their two ends.
    pub relations: Vec<RelationRow>,
    /// Sorted.
    pub mentions: Vec<MentionRow>,
}

/// Merges the extractions of chunks, which come in order of their key.
///
/// Blank names, and relations of a thing with itself, are left out. A relation whose end is not among the entities of its
/// chunk makes an entity without kind and description.
pub fn merge<'a>(chunks: impl IntoIterator<Item = (i64, &'a Extraction)>) -> Graph {
    let mut gathered = Gathered::default();
    for (chunk_key, extraction) in chunks {
        gathered.add_chunk(chunk_key, extraction);
    }
    gathered.finish()
}

#[derive(Default)]
struct Gathered<'a> {
    things: BTreeMap<String, Thing<'a>>,
    /// Normalised alias to the normalised names of those who claim it, and its spellings.
    claims: BTreeMap<String, Claim<'a>>,
    links: Vec<Link<'a>>,
}

#[derive(Default)]
struct Thing<'a> {
    spellings: BTreeMap<&'a str, usize>,
    kinds: BTreeMap<&'a str, usize>,
    /// With the chunk they come from, for their order.
    descriptions: Vec<(i64, &'a str)>,
    chunks: BTreeSet<i64>,
    /// Names and aliases as they are compared.
    names: BTreeSet<String>,
    aliases: BTreeSet<&'a str>,
}

#[derive(Default)]
struct Claim<'a> {
    owners: BTreeSet<String>,
    spellings: BTreeSet<&'a str>,
}

struct Link<'a> {
    source: String,
    target: String,
    kind: &'a str,
    description: &'a str,
    chunk_key: i64,
}

#[derive(Default)]
struct Relation<'a> {
    kinds: BTreeMap<&'a str, usize>,
    descriptions: Vec<&'a str>,
    weight: i64,
    chunks: BTreeSet<i64>,
}

impl<'a> Gathered<'a> {
    fn add_chunk(&mut self, chunk_key: i64, extraction: &'a Extraction) {
        // What a name means inside this chunk: a thing of that name, else the first that has it as an alias.
        let mut here: BTreeMap<String, String> = BTreeMap::new();
        for entity in &extraction.entities {
            self.add_entity(chunk_key, entity);
            for alias in &entity.aliases {
                here.entry(normalised(alias)).or_insert_with(|| normalised(&entity.name));
            }
        }
        here.extend(extraction.entities.iter().map(|entity| (normalised(&entity.name), normalised(&entity.name))));
        for relation in &extraction.relations {
            let [source, target] = [&relation.source, &relation.target].map(|end| {
                let end = normalised(end);
                here.get(&end).cloned().unwrap_or(end)
            });
            if source.is_empty() || target.is_empty() {
                continue;
            }
            for (end, spelling) in [(&source, &relation.source), (&target, &relation.target)] {
                if !here.contains_key(end) {
                    let thing = self.things.entry(end.clone()).or_default();
                    *thing.spellings.entry(spelling.trim()).or_default() += 1;
                    thing.chunks.insert(chunk_key);
                }
            }
            let (kind, description) = (relation.kind.trim(), relation.description.trim());
            self.links.push(Link { source, target, kind, description, chunk_key });
        }
    }

    fn add_entity(&mut self, chunk_key: i64, entity: &'a ExtractedEntity) {
        let key = normalised(&entity.name);
        if key.is_empty() {
            return;
        }
        let thing = self.things.entry(key.clone()).or_default();
        *thing.spellings.entry(entity.name.trim()).or_default() += 1;
        if !entity.kind.trim().is_empty() {
            *thing.kinds.entry(entity.kind.trim()).or_default() += 1;
        }
        thing.descriptions.push((chunk_key, &entity.description));
        thing.chunks.insert(chunk_key);
        for alias in &entity.aliases {
            let other = normalised(alias);
            if !other.is_empty() && other != key {
                let claim = self.claims.entry(other).or_default();
                claim.owners.insert(key.clone());
                claim.spellings.insert(alias.trim());
            }
        }
    }

    fn finish(mut self) -> Graph {
        let leaders = self.leaders();
        let leader = |name: &str| leaders.get(name).map_or(name, String::as_str).to_owned();
        for (alias, claim) in &self.claims {
            for owner in &claim.owners {
                // A name that several things claim still finds all of them; only a sole owner takes it over.
                if let Some(thing) = self.things.get_mut(&leader(owner)) {
                    thing.names.insert(alias.clone());
                    thing.aliases.extend(&claim.spellings);
                }
            }
        }
        let followers: Vec<String> =
            self.things.keys().filter(|name| leader(name) != **name).cloned().collect();
        for follower in followers {
            let thing = self.things.remove(&follower).unwrap_or_default();
            self.things.entry(leader(&follower)).or_default().absorb(follower, thing);
        }
        let keys: BTreeMap<String, i64> = self.things.keys().cloned().zip(0..).collect();
        let key = |name: &str| keys.get(&leader(name)).copied();
        let mut relations: BTreeMap<(i64, i64), Relation<'_>> = BTreeMap::new();
        for link in &self.links {
            if let (Some(source), Some(target)) = (key(&link.source), key(&link.target))
                && source != target
            {
                relations.entry((source, target)).or_default().add(link);
            }
        }
        graph(self.things, relations)
    }

    /// Who takes over whom: an alias, and a thing of that name, belong to the only one who claims it.
    fn leaders(&self) -> BTreeMap<String, String> {
        let mut leaders: BTreeMap<String, String> = BTreeMap::new();
        let top = |leaders: &BTreeMap<String, String>, name: &str| {
            let mut name = name.to_owned();
            while let Some(next) = leaders.get(&name) {
                name.clone_from(next);
            }
            name
        };
        for (alias, claim) in self.claims.iter().filter(|(_, claim)| claim.owners.len() == 1) {
            for owner in &claim.owners {
                let (from, to) = (top(&leaders, alias), top(&leaders, owner));
                if from != to {
                    leaders.insert(from, to);
                }
            }
        }
        let names: Vec<String> = leaders.keys().cloned().collect();
        names.into_iter().map(|name| { let leader = top(&leaders, &name); (name, leader) }).collect()
    }
}

impl<'a> Thing<'a> {
    fn absorb(&mut self, name: String, other: Thing<'a>) {
        self.aliases.extend(other.spellings.keys());
        self.aliases.extend(other.aliases);
        self.names.insert(name);
        self.names.extend(other.names);
        self.descriptions.extend(other.descriptions);
        self.chunks.extend(other.chunks);
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
    }
}

impl<'a> Relation<'a> {
    fn add(&mut self, link: &Link<'a>) {
        if !link.kind.is_empty() {
            *self.kinds.entry(link.kind).or_default() += 1;
        }
        self.descriptions.push(link.description);
        self.weight += 1;
        self.chunks.insert(link.chunk_key);
    }
}

fn graph(things: BTreeMap<String, Thing<'_>>, relations: BTreeMap<(i64, i64), Relation<'_>>) -> Graph {
    let mut graph = Graph::default();
    for ((key, mut thing), entity_key) in things.into_iter().zip(0..) {
        let name = by_count(&thing.spellings).into_iter().next().unwrap_or(&key).to_owned();
        thing.aliases.extend(thing.spellings.keys());
        thing.aliases.remove(name.as_str());
        thing.names.insert(key);
        thing.descriptions.sort_by_key(|(chunk_key, _)| *chunk_key);
        let names: Vec<&str> = thing.names.iter().map(String::as_str).collect();
        graph.mentions.extend(mentions(Subject::Entity, entity_key, &thing.chunks));
        graph.entities.push(EntityRow {
            entity_key,
            kind: by_count(&thing.kinds).into_iter().next().unwrap_or_default().to_owned(),
            aliases: thing.aliases.into_iter().collect::<Vec<_>>().join("\n"),
            lookup_names: format!("\n{}\n", names.join("\n")),
            description: summarise(thing.descriptions.into_iter().map(|(_, text)| text)),
            chunks_n: thing.chunks.len() as i64,
            name,
        });
    }
    for (((source_key, target_key), relation), relation_key) in relations.into_iter().zip(0..) {
        let kinds: Vec<&str> = by_count(&relation.kinds).into_iter().take(MOST_KINDS).collect();
        graph.mentions.extend(mentions(Subject::Relation, relation_key, &relation.chunks));
        graph.relations.push(RelationRow {
            relation_key,
            source_key,
            target_key,
            kind: kinds.join("; "),
            description: summarise(relation.descriptions),
            weight: relation.weight,
        });
    }
    graph
}

fn mentions(subject: Subject, subject_key: i64, chunks: &BTreeSet<i64>) -> impl Iterator<Item = MentionRow> {
    chunks.iter().map(move |chunk_key| MentionRow { subject, subject_key, chunk_key: *chunk_key })
}

/// Texts by falling count; equal counts in the order of the text.
fn by_count<'a>(counts: &BTreeMap<&'a str, usize>) -> Vec<&'a str> {
    let mut texts: Vec<(&str, usize)> = counts.iter().map(|(text, count)| (*text, *count)).collect();
    texts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    texts.into_iter().map(|(text, _)| text).collect()
}
