//! What questions find in a graph whose entities and relations are known.

use super::support::{Served, islands, served_islands};
use ragsql::gateway::roles::Keywords;
use serde_json::{Value, json};

fn keywords(low: &[&str], high: &[&str]) -> Keywords {
    let texts = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
    Keywords { low_level: texts(low), high_level: texts(high) }
}

async fn ask(served: &Served, model: &str) -> Value {
    let (status, body) = served.ask(model, "Which ferry belongs to the company that the skipper leads?").await;
    assert_eq!(status, 200, "{body}");
    body["rag_showcase"].clone()
}

fn titles(extension: &Value) -> Vec<String> {
    let sources = extension["sources"].as_array().unwrap();
    sources.iter().map(|source| source["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_name_leads_over_relations_to_chunks_that_do_not_hold_it() {
    let site = islands();
    let (served, witness) = served_islands(&site, keywords(&["the Skipper"], &[])).await;
    let local = ask(&served, "graph-rag-fast").await;
    assert_eq!(local["lightrag"], json!({"query_profile": "graph-rag-fast"}));
    let found = titles(&local);
    assert_eq!(found.iter().filter(|title| title.starts_with("harbor/")).count(), 3, "{found:?}");
    assert!(found.contains(&"harbor/1-ada.md".to_owned()), "{found:?}");
    assert!(found.contains(&"harbor/2-arvo.md".to_owned()), "{found:?}");
    assert!(!found.contains(&"harbor/5-bread.md".to_owned()), "nothing of the graph is in it: {found:?}");
    // Sources are exactly what the answering model saw.
    let contexts = witness.0.lock().unwrap().clone();
    let sources = local["sources"].as_array().unwrap();
    assert_eq!(contexts.len(), sources.len());
    for (context, source) in contexts.iter().zip(sources) {
        assert_eq!(
            (context.title.as_str(), context.text.as_str()),
            (source["title"].as_str().unwrap(), source["snippet"].as_str().unwrap())
        );
    }
    assert_eq!(local["metrics"]["chunks"], 3, "the facts are no chunk");
    assert_eq!(local["metrics"]["llm_calls"], 3, "keywords, vectors, answer");
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn themes_lead_over_relations_to_their_ends() {
    let site = islands();
    let (served, _) = served_islands(&site, keywords(&[], &["works for Heron"])).await;
    let hybrid = ask(&served, "graph-rag").await;
    assert!(titles(&hybrid).contains(&"harbor/4-ole.md".to_owned()), "{hybrid}");
    let facts =
        hybrid["sources"].as_array().unwrap().iter().find(|source| source["title"] == "knowledge graph").unwrap();
    let facts = facts["snippet"].as_str().unwrap();
    assert!(facts.contains("# Ole Brandt - works for - Heron\nOle Brandt works for Heron.\n"), "{facts}");
    assert!(facts.contains("# Ada Reed - leads - Arvo\nAda Reed leads the company Arvo since 2019.\n"), "{facts}");
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn budgets_of_the_profiles_hold_and_answers_repeat() {
    let site = islands();
    let (served, _) = served_islands(&site, keywords(&["Arvo", "Lark", "Ole Brandt"], &["ferry"])).await;
    for (model, most) in [("graph-rag-fast", 3), ("graph-rag", 5), ("graph-rag-wide", 12), ("graph-rag-rerank", 5)] {
        let first = ask(&served, model).await;
        let chunks = titles(&first).iter().filter(|title| title.starts_with("harbor/")).count();
        assert!((1..=most).contains(&chunks), "{model}: {chunks}");
        assert_eq!(first["metrics"]["chunks"], json!(chunks));
        assert_eq!(ask(&served, model).await["sources"], first["sources"], "{model}");
    }
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_question_without_keywords_is_answered_without_contexts() {
    let site = islands();
    let (served, witness) = served_islands(&site, keywords(&[], &[])).await;
    let answer = ask(&served, "graph-rag").await;
    assert_eq!((&answer["sources"], &answer["answer"]), (&json!([]), &json!("ok")));
    assert!(witness.0.lock().unwrap().is_empty());
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn naive_and_mix_take_the_nearest_chunks_too() {
    let site = islands();
    let mut config = super::support::config(&site);
    for (profile, mode) in [(0, "naive"), (1, "mix"), (2, "global"), (3, "local")] {
        config.graph.profiles[profile].fields.insert("mode".to_owned(), json!(mode));
    }
    config.roles.extract = std::sync::Arc::new(super::support::island_script());
    let served = Served::ready(config).await;
    let question = "How much time does rye bread need?";
    let (_, naive) = served.ask("graph-rag", question).await;
    assert_eq!(titles(&naive["rag_showcase"])[0], "harbor/5-bread.md");
    assert_eq!(naive["rag_showcase"]["metrics"]["llm_calls"], 2, "no keywords are asked for");
    let (_, mix) = served.ask("graph-rag-fast", question).await;
    assert!(titles(&mix["rag_showcase"]).contains(&"harbor/5-bread.md".to_owned()), "{mix}");
    let (_, global) = served.ask("graph-rag-wide", question).await;
    assert!(!titles(&global["rag_showcase"]).contains(&"harbor/5-bread.md".to_owned()), "{global}");
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_question_that_is_too_short_is_not_asked() {
    let site = islands();
    let (served, witness) = served_islands(&site, keywords(&["Arvo"], &[])).await;
    let (status, body) = served.ask("graph-rag", " a ").await;
    assert_eq!(status, 200);
    let extension = &body["rag_showcase"];
    assert_eq!(extension["metrics"]["llm_calls"], 1, "TV-38");
    assert_eq!(extension["sources"].as_array().unwrap().len(), 1, "TV-38");
    assert!(witness.0.lock().unwrap().is_empty());
    served.running.stop().await.unwrap();
}
