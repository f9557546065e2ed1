//! What goes to the answering model: chunks within the budget, then facts of the graph that the chunks do not say.
//!
//! Pure, but for counting tokens with the chunker's vocabulary.

use crate::gateway::approaches::Chosen;
use crate::gateway::corpus::{FoundEntity, FoundRelation};
use crate::gateway::tokens::TokenCounter;
use std::collections::HashSet;

/// The title of the context that holds facts.
pub const FACTS_TITLE: &str = "knowledge graph";

/// Contexts in order, chunks first.
pub struct Contexts {
    /// Chunks, then the facts when there are any.
    pub chosen: Vec<Chosen>,
    /// How many of them are chunks.
    pub chunks_n: usize,
    /// How many entities and relations the facts speak of.
    pub facts_n: usize,
}

/// Takes chunks while they fit the budget, then entities and relations in turns while they fit what is left.
///
/// The first chunk, and the first fact, that does not fit ends its list. Of a description, lines that a chosen chunk or an
/// earlier fact holds are left out, and what has no line left is no fact. A fact is a heading with lines below it.
pub fn contexts(
    chunks: Vec<Chosen>,
    entities: &[FoundEntity],
    relations: &[FoundRelation],
    max_total_tokens: usize,
) -> Contexts {
    let mut counter = TokenCounter::default();
    let mut free = max_total_tokens;
    let mut fits = |text: &str| {
        let tokens = counter.map(text).between(0, text.len());
        let fits = tokens <= free;
        free -= if fits { tokens } else { 0 };
        fits
    };
    let mut chosen: Vec<Chosen> = chunks.into_iter().take_while(|chunk| fits(&chunk.text)).collect();
    let chunks_n = chosen.len();
    let mut facts: Vec<String> = Vec::new();
    let mut said: HashSet<&str> = HashSet::new();
    for (heading, description) in in_turns(entities, relations) {
        let news = |line: &&str| {
            !line.is_empty() && !said.contains(line) && !chosen.iter().any(|chunk| chunk.text.contains(line))
        };
        let lines: Vec<&str> = description.lines().map(str::trim).filter(news).collect();
        if lines.is_empty() {
            continue;
        }
        let fact = format!("# {}\n{}\n", heading.replace('\n', " "), lines.join("\n"));
        if !fits(&fact) {
            break;
        }
        said.extend(lines);
        facts.push(fact);
    }
    let facts_n = facts.len();
    if facts_n > 0 {
        chosen.push(Chosen { title: FACTS_TITLE.to_owned(), text: facts.join("\n"), score: None });
    }
    Contexts { chosen, chunks_n, facts_n }
}

/// Headings and descriptions: the first entity, the first relation, the second entity, and so on.
fn in_turns<'a>(
    entities: &'a [FoundEntity],
    relations: &'a [FoundRelation],
) -> impl Iterator<Item = (String, &'a str)> {
    (0..entities.len().max(relations.len())).flat_map(move |position| {
        let entity = entities.get(position).map(|entity| (entity.name.clone(), entity.description.as_str()));
        let relation = relations.get(position).map(|relation| {
            let parts = [&relation.source, &relation.kind, &relation.target].map(String::as_str);
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            (parts.join(" - "), relation.description.as_str())
        });
        [entity, relation].into_iter().flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(text: &str) -> Chosen {
        Chosen { title: "a.md".to_owned(), text: text.to_owned(), score: Some(1.0) }
    }

    fn entity(name: &str, description: &str) -> FoundEntity {
        FoundEntity { entity_key: 0, name: name.to_owned(), kind: String::new(), description: description.to_owned() }
    }

    #[test]
    fn the_budget_holds_for_all_contexts_together() {
        let ten = "one two three four five six seven eight nine ten";
        let made = contexts(vec![chunk(ten), chunk(ten), chunk("one")], &[], &[], 15);
        assert_eq!((made.chosen.len(), made.chunks_n), (1, 1), "the first that does not fit ends the list");
        assert!(contexts(vec![chunk(ten)], &[], &[], 9).chosen.is_empty());
        let facts = [entity("A", "Said.\nNew one."), entity("B", "Said."), entity("C", ten)];
        let made = contexts(vec![chunk("It was Said.")], &facts, &[], 17);
        assert_eq!((made.chunks_n, made.facts_n), (1, 1));
        assert_eq!(made.chosen[1].text, "# A\nNew one.\n");
        assert_eq!(made.chosen[1].title, FACTS_TITLE);
        let relation = FoundRelation {
            relation_key: 0,
            source_key: 0,
            source: "A".to_owned(),
            kind: "met".to_owned(),
            target_key: 1,
            target: "B".to_owned(),
            description: "New one.\nThey met.".to_owned(),
        };
        let made = contexts(Vec::new(), &facts[..1], &[relation], 100);
        assert_eq!(made.chosen[0].text, "# A\nSaid.\nNew one.\n\n# A - met - B\nThey met.\n", "nothing is said twice");
        assert_eq!((made.chunks_n, made.facts_n), (0, 2));
    }
}
