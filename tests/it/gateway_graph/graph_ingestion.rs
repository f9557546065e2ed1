//! How the graph gets into the index, and what survives a death on the way.

use super::support::{Served, config, island_script, islands, rows};
use crate::gateway::support::Gated;
use ragsql::gateway::roles::{Fault, RoleError};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const ENTITIES: &str = "select name || '|' || kind || '|' || replace(aliases, chr(10), ',') || '|' || chunks_n \
    from entities order by entity_key";
const RELATIONS: &str = "select s.name || '|' || r.kind || '|' || t.name || '|' || r.weight from relations r \
    join entities s on s.entity_key = r.source_key join entities t on t.entity_key = r.target_key \
    order by r.relation_key";

fn phase<'a>(record: &'a Value, name: &str) -> &'a Value {
    record["phases"].as_array().unwrap().iter().find(|phase| phase["name"] == name).unwrap()
}

#[tokio::test]
async fn the_graph_of_a_known_corpus_is_stored_as_plain_tables() {
    let site = islands();
    let mut config = config(&site);
    config.roles.extract = Arc::new(island_script());
    let served = Served::start(config).await;
    let record = served.ingest().await;
    assert_eq!(record["status"], "completed", "{record}");
    let counts = json!({"documents_uploaded": 5, "entities": 6, "relations": 4});
    assert_eq!(phase(&record, "lightrag_upload")["counts"], counts);
    assert_eq!(phase(&record, "drain")["counts"], json!({"graph_vectors_written": 10}));
    served.running.stop().await.unwrap();
    assert_eq!(
        rows(&site, ENTITIES),
        [
            "Ada Reed|person|Skipper|1",
            "Arvo|company||2",
            "Heron|||1",
            "Lark|ferry|The Lark|2",
            "Ole Brandt|person||1",
            "Tern Island|place||1",
        ]
    );
    assert_eq!(
        rows(&site, RELATIONS),
        ["Ada Reed|leads|Arvo|1", "Arvo|owns|Lark|1", "Lark|sails to|Tern Island|1", "Ole Brandt|works for|Heron|1",]
    );
    let mentions = "select m.subject || '|' || c.title from mentions m join chunks c on c.chunk_key = m.chunk_key \
        and c.ingestion_key = m.ingestion_key where m.subject_key = 1 order by 1";
    assert_eq!(
        rows(&site, mentions),
        ["entity|harbor/1-ada.md", "entity|harbor/2-arvo.md", "relation|harbor/2-arvo.md"]
    );
}

#[tokio::test]
async fn chunks_that_were_read_before_a_failure_are_not_read_again() {
    let site = islands();
    let mut failing = config(&site);
    let script = Arc::new(island_script());
    script.tally.fails_from.store(3, Ordering::SeqCst);
    failing.roles.extract = Arc::clone(&script) as _;
    let served = Served::start(failing).await;
    let failed = served.ingest().await;
    assert_eq!(phase(&failed, "lightrag_upload")["status"], "failed", "{failed}");
    assert_eq!(served.ask("graph-rag", "Who leads Arvo?").await.0, 503);
    served.running.stop().await.unwrap();
    let kept = rows(&site, "select 'kept' from extractions").len();
    assert_eq!(kept, 2);

    let mut again = config(&site);
    let second = Arc::new(island_script());
    again.roles.extract = Arc::clone(&second) as _;
    let served = Served::start(again).await;
    let done = served.ingest().await;
    assert_eq!((&done["id"], &done["status"]), (&failed["id"], &json!("completed")));
    assert_eq!(second.tally.calls.load(Ordering::SeqCst), 5 - kept);
    served.running.stop().await.unwrap();
    assert_eq!(rows(&site, RELATIONS).len(), 4);
}

#[tokio::test]
async fn a_job_that_fails_while_the_graph_is_embedded_goes_on_from_there() {
    let site = islands();
    let open = Arc::new(AtomicBool::new(true));
    let mut config = config(&site);
    let script = Arc::new(Closing { open: Arc::clone(&open), script: island_script() });
    config.roles.extract = script;
    config.roles.embed = Arc::new(Gated { open: Arc::clone(&open) });
    let served = Served::start(config).await;
    let failed = served.ingest().await;
    assert_eq!(phase(&failed, "lightrag_upload")["status"], "completed", "{failed}");
    assert_eq!(phase(&failed, "drain")["status"], "failed");
    open.store(true, Ordering::SeqCst);
    let done = served.ingest().await;
    assert_eq!((&done["id"], &done["status"]), (&failed["id"], &json!("completed")));
    assert_eq!(phase(&done, "lightrag_upload")["started_at"], phase(&failed, "lightrag_upload")["started_at"]);
    assert_eq!(done["counts"]["graph_vectors_written"], 10);
    served.running.stop().await.unwrap();
}

/// Extracts, and closes the embedding model behind itself.
struct Closing {
    open: Arc<AtomicBool>,
    script: super::support::Script,
}

impl ragsql::gateway::roles::Extractor for Closing {
    fn name(&self) -> &str {
        "scripted/extractor"
    }
    fn extract<'a>(
        &'a self,
        title: &'a str,
        text: &'a str,
    ) -> ragsql::gateway::roles::RoleFuture<'a, ragsql::gateway::roles::Extraction> {
        self.open.store(false, Ordering::SeqCst);
        ragsql::gateway::roles::Extractor::extract(&self.script, title, text)
    }
}

#[tokio::test]
async fn the_same_corpus_gives_the_same_graph_in_another_index() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let site = super::support::Site::new();
        let served = Served::ready(config(&site)).await;
        served.running.stop().await.unwrap();
        seen.push((rows(&site, ENTITIES), rows(&site, RELATIONS)));
    }
    assert_eq!(seen[0], seen[1]);
    let (entities, relations) = &seen[0];
    assert!(entities.iter().any(|entity| entity.starts_with("Grid Nine|")), "{entities:?}");
    assert!(relations.contains(&"Grid Nine|powers|Valve Station|1".to_owned()), "{relations:?}");
}

/// Finds nothing readable in chunks that hold one of its words.
struct Mumbling {
    words: &'static [&'static str],
    script: super::support::Script,
}

impl ragsql::gateway::roles::Extractor for Mumbling {
    fn name(&self) -> &str {
        "scripted/extractor"
    }
    fn extract<'a>(
        &'a self,
        title: &'a str,
        text: &'a str,
    ) -> ragsql::gateway::roles::RoleFuture<'a, ragsql::gateway::roles::Extraction> {
        if !self.words.iter().any(|word| text.contains(word)) {
            return ragsql::gateway::roles::Extractor::extract(&self.script, title, text);
        }
        let error = RoleError { fault: Fault::Unreadable, ..RoleError::new("scripted/extractor", "it mumbles") };
        Box::pin(async move { Err(error) })
    }
}

#[tokio::test]
async fn a_chunk_that_the_model_cannot_put_into_form_is_counted_and_costs_no_graph() {
    let site = islands();
    let mut config = config(&site);
    config.roles.extract = Arc::new(Mumbling { words: &["Brandt"], script: island_script() });
    let served = Served::start(config).await;
    let record = served.ingest().await;
    assert_eq!(record["status"], "completed", "{record}");
    let counts = &phase(&record, "lightrag_upload")["counts"];
    assert_eq!((&counts["chunks_unreadable"], &counts["documents_uploaded"]), (&json!(1), &json!(5)));
    let noted = &phase(&record, "lightrag_upload");
    assert_eq!(noted["status"], "completed");
    let note = noted["note"].as_str().unwrap();
    assert!(note.starts_with("1 of 5 chunks could not be read") && note.contains("it mumbles"), "{note}");
    served.running.stop().await.unwrap();
    let told = "select 'told' from extractions where contains(extraction, 'it mumbles')";
    assert_eq!(rows(&site, told).len(), 1);
    assert_eq!(rows(&site, RELATIONS), ["Ada Reed|leads|Arvo|1", "Arvo|owns|Lark|1", "Lark|sails to|Tern Island|1"]);
}

#[tokio::test]
async fn a_model_that_cannot_read_any_chunk_fails_the_ingestion_with_its_words_and_is_asked_again_later() {
    let site = islands();
    let mut mumbling = config(&site);
    mumbling.roles.extract = Arc::new(Mumbling { words: &[""], script: island_script() });
    let served = Served::start(mumbling).await;
    let failed = served.ingest().await;
    let phase = phase(&failed, "lightrag_upload");
    assert_eq!(phase["status"], "failed", "{failed}");
    assert!(phase["error"].to_string().contains("no chunk of 5 could be read"), "{phase}");
    served.running.stop().await.unwrap();
    let mut again = config(&site);
    again.roles.extract = Arc::new(island_script());
    let served = Served::start(again).await;
    assert_eq!(served.ingest().await["status"], "completed");
    served.running.stop().await.unwrap();
    assert_eq!(rows(&site, RELATIONS).len(), 4);
}
