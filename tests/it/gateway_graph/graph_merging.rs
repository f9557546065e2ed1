//! How extractions of chunks become one graph.

use super::support::{entity, relation};
use ragsql::gateway::graph::merge::merge;
use ragsql::gateway::roles::Extraction;

fn chunk(
    entities: Vec<ragsql::gateway::roles::ExtractedEntity>,
    relations: Vec<ragsql::gateway::roles::ExtractedRelation>,
) -> Extraction {
    Extraction { entities, relations, unreadable: None }
}

#[test]
fn spellings_of_one_name_are_one_entity() {
    let chunks = [
        chunk(vec![entity("OpenAI", "company", &[], "Makes models.")], vec![]),
        chunk(
            vec![
                entity(" openai ", "lab", &[], "Sits in San Francisco."),
                entity("OpenAI's", "company", &[], "Makes models."),
            ],
            vec![],
        ),
        chunk(vec![entity("OpenAI", "company", &[], ""), entity(" -- ", "", &[], "no name")], vec![]),
    ];
    let graph = merge(chunks.iter().enumerate().map(|(key, chunk)| (key as i64, chunk)));
    assert_eq!(graph.entities.len(), 1);
    let one = &graph.entities[0];
    assert_eq!((one.name.as_str(), one.kind.as_str(), one.chunks_n), ("OpenAI", "company", 3));
    assert_eq!(one.aliases, "OpenAI's\nopenai");
    assert_eq!(one.lookup_names, "\nopenai\n");
    assert_eq!(one.description, "Makes models.\nSits in San Francisco.");
    assert_eq!(graph.mentions.len(), 3);
}

#[test]
fn an_alias_with_one_owner_is_taken_over_and_one_with_two_is_not() {
    let chunks = [
        chunk(vec![entity("APT28", "group", &["G0007", "Bear"], "A group.")], vec![]),
        chunk(vec![entity("G0007", "", &[], "An entry."), entity("Bear", "animal", &[], "")], vec![]),
        chunk(vec![entity("APT29", "group", &["Bear"], "")], vec![]),
    ];
    let graph = merge(chunks.iter().enumerate().map(|(key, chunk)| (key as i64, chunk)));
    let names: Vec<&str> = graph.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(names, ["APT28", "APT29", "Bear"]);
    assert_eq!(graph.entities[0].aliases, "Bear\nG0007");
    assert_eq!(graph.entities[0].lookup_names, "\napt28\nbear\ng0007\n");
    assert_eq!(graph.entities[0].description, "A group.\nAn entry.");
    assert_eq!(graph.entities[1].lookup_names, "\napt29\nbear\n", "a shared name finds all who claim it");
}

#[test]
fn claims_in_a_circle_end() {
    let chunks = [chunk(
        vec![entity("A1", "", &["B1"], ""), entity("B1", "", &["C1"], ""), entity("C1", "", &["A1"], "")],
        vec![],
    )];
    let graph = merge([(0, &chunks[0])]);
    assert_eq!(graph.entities.len(), 1);
    assert_eq!(graph.entities[0].lookup_names, "\na1\nb1\nc1\n");
}

#[test]
fn relations_of_one_pair_are_one_with_a_weight() {
    let chunks = [
        chunk(
            vec![entity("Ada Reed", "person", &["Reed"], ""), entity("Arvo", "", &[], "")],
            vec![relation("Reed", "leads", "the Arvo", "Reed leads Arvo."), relation("Arvo", "is", "ARVO", "itself")],
        ),
        chunk(
            vec![],
            vec![relation("Ada Reed", "founded", "Arvo", "She founded it."), relation("Arvo", "", "Ada Reed", "")],
        ),
        chunk(
            vec![],
            vec![relation("Ada Reed", "leads", "Arvo", "Reed leads Arvo."), relation("Arvo", "x", "  ", "blank")],
        ),
    ];
    let graph = merge(chunks.iter().enumerate().map(|(key, chunk)| (key as i64, chunk)));
    let shown: Vec<(i64, i64, &str, i64, &str)> = graph
        .relations
        .iter()
        .map(|one| (one.source_key, one.target_key, one.kind.as_str(), one.weight, one.description.as_str()))
        .collect();
    assert_eq!(shown, [(0, 1, "leads; founded", 3, "Reed leads Arvo.\nShe founded it."), (1, 0, "", 1, "")]);
    assert_eq!(graph.entities.iter().map(|one| one.chunks_n).collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn nothing_gives_an_empty_graph() {
    assert!(merge([(0, &Extraction::default())]).entities.is_empty());
}
