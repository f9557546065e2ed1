//! `builtin/name-and-phrase-extractor`: entities are names and codes, relations the words between them in a sentence.
//!
//! No grammar: the words between two neighbouring names are taken for their relation, whoever its subject really is.
//! Pronouns refer to nothing. Pure; equal input gives equal extractions.

use super::names::{Known, Name, Names, names};
use super::sentences::sentences;
use crate::gateway::roles::{ExtractedEntity, ExtractedRelation, Extraction};
use std::collections::BTreeMap;

/// A description is cut after so many characters.
const LONGEST_DESCRIPTION_CHARS: usize = 300;
/// Names that are farther apart than this many words are not related.
const MOST_WORDS_BETWEEN: usize = 12;
/// The most words of a relation's kind.
const MOST_KIND_WORDS: usize = 6;
/// Of a list of names so many take part in a relation.
const MOST_LISTED: usize = 8;
/// Words that only continue a list.
const LIST_WORDS: &[&str] = &["and", "or", "as", "well", "both", "then", "also", "the", "a", "an"];
/// Words that a relation's kind does not need.
const ARTICLES: &[&str] = &["a", "an", "the"];

/// Reads one chunk.
///
/// A heading is no sentence, but names in headings above a sentence become entities too. A last name alone means the one
/// person of the chunk who has it.
pub fn extract(text: &str) -> Extraction {
    let sentences = sentences(text);
    let known = Known::learn(sentences.iter().map(|sentence| sentence.text.as_str()));
    let mut chunk = Chunk::default();
    let found: Vec<Names> = sentences.iter().map(|sentence| names(&sentence.text, &known)).collect();
    for (sentence, found) in sentences.iter().zip(&found) {
        // A bare list of names says nothing about any of them.
        let description = if found.is_bare_list { "" } else { sentence.text.as_str() };
        for name in &found.names {
            chunk.add(name, description);
        }
    }
    let short = chunk.last_names();
    for (sentence, found) in sentences.iter().zip(&found) {
        chunk.relate(found, &sentence.text, &short);
    }
    chunk.finish(&short)
}

#[derive(Default)]
struct Chunk {
    /// By name, in order of appearance through `order`.
    entities: BTreeMap<String, ExtractedEntity>,
    order: Vec<String>,
    relations: Vec<ExtractedRelation>,
}

impl Chunk {
    fn add(&mut self, name: &Name, sentence: &str) {
        let entity = self.entities.entry(name.text.clone()).or_insert_with(|| {
            self.order.push(name.text.clone());
            ExtractedEntity {
                name: name.text.clone(),
                kind: name.kind.to_owned(),
                aliases: Vec::new(),
                description: String::new(),
            }
        });
        if entity.description.is_empty() {
            entity.description = shortened(sentence);
        }
        if let Some(alias) = name.alias.as_ref().filter(|alias| !entity.aliases.contains(alias)) {
            entity.aliases.push(alias.clone());
        }
    }

    /// Last names that stand alone somewhere, with the one full name that ends with each.
    fn last_names(&self) -> BTreeMap<String, String> {
        let alone = self.order.iter().filter(|name| !name.contains(' ') && self.entities[*name].kind == "name");
        alone
            .filter_map(|last| {
                let full = |name: &&String| {
                    let words = name.split(' ').count();
                    (2..=3).contains(&words)
                        && self.entities[*name].kind == "name"
                        && name.strip_suffix(last.as_str()).is_some_and(|before| before.ends_with(' '))
                };
                let mut holders = self.order.iter().filter(full);
                match (holders.next(), holders.next()) {
                    (Some(holder), None) => Some((last.clone(), holder.clone())),
                    _ => None,
                }
            })
            .collect()
    }

    /// Joins every name of a list to every name of the next one, by the words between the lists.
    fn relate(&mut self, found: &Names, sentence: &str, short: &BTreeMap<String, String>) {
        let full = |name: &Name| short.get(&name.text).unwrap_or(&name.text).clone();
        let mut subjects: Vec<String> = Vec::new();
        let mut objects: Vec<String> = found.names.first().map(full).into_iter().collect();
        let mut kind = String::new();
        for (words, name) in found.between.iter().zip(found.names.iter().skip(1)) {
            if !words.iter().all(|word| LIST_WORDS.contains(&word.as_str())) {
                kind = relation_kind(words);
                subjects = std::mem::take(&mut objects);
                if words.len() > MOST_WORDS_BETWEEN {
                    subjects.clear();
                }
            }
            let object = full(name);
            for subject in subjects.iter().filter(|subject| **subject != object) {
                self.relations.push(ExtractedRelation {
                    source: subject.clone(),
                    target: object.clone(),
                    kind: kind.clone(),
                    description: shortened(sentence),
                });
            }
            if objects.len() < MOST_LISTED {
                objects.push(object);
            }
        }
    }

    fn finish(mut self, short: &BTreeMap<String, String>) -> Extraction {
        for (last, holder) in short {
            self.entities.remove(last);
            if let Some(entity) = self.entities.get_mut(holder) {
                entity.aliases.push(last.clone());
            }
        }
        let entities = self.order.iter().filter_map(|name| self.entities.remove(name)).collect();
        Extraction { entities, relations: self.relations, unreadable: None }
    }
}

fn relation_kind(words: &[String]) -> String {
    let words = words.iter().filter(|word| !ARTICLES.contains(&word.as_str())).take(MOST_KIND_WORDS);
    words.map(String::as_str).collect::<Vec<_>>().join(" ")
}

fn shortened(sentence: &str) -> String {
    match sentence.char_indices().nth(LONGEST_DESCRIPTION_CHARS) {
        None => sentence.to_owned(),
        Some((end, _)) => {
            let cut = sentence[..end].rfind(char::is_whitespace).unwrap_or(end);
            format!("{}...", sentence[..cut].trim_end())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relations(text: &str) -> Vec<String> {
        let relations = extract(text).relations;
        relations.iter().map(|one| format!("{} | {} | {}", one.source, one.kind, one.target)).collect()
    }

    #[test]
    fn words_between_names_are_their_relation() {
        assert_eq!(
            relations("APT28 (G0007) uses the technique PowerShell (T1059.001)."),
            ["APT28 | uses technique | PowerShell"]
        );
        assert_eq!(
            relations("Sam Altman and Greg Brockman joined Microsoft."),
            ["Sam Altman | joined | Microsoft", "Greg Brockman | joined | Microsoft"]
        );
        assert_eq!(
            relations("The firm Arvo bought Lark, Heron and Plover from Tern."),
            [
                "Arvo | bought | Lark",
                "Arvo | bought | Heron",
                "Arvo | bought | Plover",
                "Lark | from | Tern",
                "Heron | from | Tern",
                "Plover | from | Tern"
            ]
        );
    }

    #[test]
    fn a_last_name_means_the_only_one_who_has_it() {
        let extraction = extract("Ada Reed led Arvo. Then Reed left Arvo for Tern.");
        let reed = extraction.entities.iter().find(|entity| entity.name == "Ada Reed").unwrap();
        assert_eq!(reed.aliases, ["Reed"]);
        assert!(extraction.entities.iter().all(|entity| entity.name != "Reed"));
        assert!(relations("Ada Reed led Arvo. Then Reed left Arvo.").contains(&"Ada Reed | left | Arvo".to_owned()));
        let two = extract("Ada Reed met Ole Reed. Then Reed left Arvo.");
        assert!(two.entities.iter().any(|entity| entity.name == "Reed"), "nobody can say which");
    }

    #[test]
    fn a_bare_list_of_names_describes_none_of_them() {
        let found = extract("[S0002](s0002.md), [S0029](s0029.md)\n\nThe group uses S0002 daily.");
        let described: Vec<(&str, &str)> =
            found.entities.iter().map(|one| (one.name.as_str(), one.description.as_str())).collect();
        assert_eq!(described, [("S0002", "The group uses S0002 daily."), ("S0029", "")]);
    }

    #[test]
    fn odd_input_is_no_problem() {
        assert_eq!(extract(""), Extraction::default());
        assert_eq!(extract("no names here at all, only words."), Extraction::default());
        let far = "Arvo said one two three four five six seven eight nine ten eleven twelve to Tern.";
        assert!(relations(far).is_empty());
        let long = format!("The Arvo {} met Tern.", "x ".repeat(5000));
        assert!(extract(&long).entities.iter().all(|entity| entity.description.chars().count() <= 303));
    }
}
