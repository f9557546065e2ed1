//! How the contextual collection is made, resumed and replaced.

use super::support::{Blurbs, Served, Site, alias, config, rows};
use ragsql::gateway::Config;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;

const TEXTS: &str = "select c.title || '|' || c.text from chunks c join collections k \
    on k.ingestion_key = c.ingestion_key where k.collection = 'RagContextual_harbor' order by c.chunk_key";

fn with_blurbs(site: &Site, concurrency: usize) -> (Config, Arc<Blurbs>) {
    let mut config = config(site);
    let blurbs = Arc::new(Blurbs { concurrency, ..Blurbs::default() });
    config.roles.contextual_blurb = Arc::clone(&blurbs) as _;
    (config, blurbs)
}

fn phase<'a>(record: &'a Value, name: &str) -> &'a Value {
    record["phases"].as_array().unwrap().iter().find(|phase| phase["name"] == name).unwrap()
}

#[tokio::test]
async fn every_chunk_gets_its_own_blurb_whatever_the_order_of_replies() {
    let site = Site::new();
    let (config, blurbs) = with_blurbs(&site, 3);
    let served = Served::start(config).await;
    let record = served.ingest().await;
    assert_eq!(record["status"], "completed", "{record}");
    assert_eq!(phase(&record, "vector_write")["counts"], json!({"vectors_written": 4, "contextual_chunks": 4}));
    assert_eq!(blurbs.tally.calls.load(Ordering::SeqCst), 4);
    let asked = blurbs.asked.lock().unwrap().clone();
    let lock = asked.iter().find(|request| request.title == "harbor/004-lock.md").unwrap();
    assert_eq!(lock.headings, ["Harbor Lock"]);
    assert!(lock.window.contains("keeps ships afloat") && (lock.position, lock.chunks_n) == (1, 1));
    let (status, body) = served.ask("contextual-rag", "What does Harbor Lock keep afloat?").await;
    assert_eq!(status, 200, "{body}");
    let first = &body["rag_showcase"]["sources"][0];
    let snippet = first["snippet"].as_str().unwrap();
    assert!(snippet.starts_with("About harbor/004-lock.md.\n\n# Harbor Lock"), "{snippet}");
    assert_eq!(body["rag_showcase"]["metrics"]["llm_calls"], 2);
    // The plain collection is untouched.
    let (_, body) = served.ask("hybrid-rag", "What does Harbor Lock keep afloat?").await;
    assert!(!body.to_string().contains("About harbor"), "{body}");
    served.running.stop().await.unwrap();
    let texts = rows(&site, TEXTS);
    assert_eq!(texts.len(), 4);
    for text in texts {
        let (title, text) = text.split_once('|').unwrap();
        assert!(text.starts_with(&format!("About {title}.\n\n")), "{text}");
    }
}

#[tokio::test]
async fn blurbs_that_arrived_before_a_failure_are_not_asked_for_again() {
    let site = Site::new();
    let (config, blurbs) = with_blurbs(&site, 1);
    blurbs.tally.fails_from.store(3, Ordering::SeqCst);
    let served = Served::start(config).await;
    let failed = served.ingest().await;
    assert_eq!(failed["status"], "failed");
    assert_eq!(phase(&failed, "vector_write")["error"], "the model `scripted/model` failed: status 503");
    assert_eq!(served.ask("contextual-rag", "Grid?").await.0, 503);
    served.running.stop().await.unwrap();

    // Another process takes the job up.
    let (config, second) = with_blurbs(&site, 1);
    let served = Served::start(config).await;
    let done = served.ingest().await;
    assert_eq!((&done["id"], &done["status"]), (&failed["id"], &json!("completed")));
    let kept = blurbs.asked.lock().unwrap().len();
    assert_eq!(kept, 2);
    assert_eq!(second.tally.calls.load(Ordering::SeqCst), 4 - kept);
    assert_eq!(served.ask("contextual-rag", "Grid?").await.0, 200);
    served.running.stop().await.unwrap();
    assert_eq!(rows(&site, TEXTS).len(), 4);
}

#[tokio::test]
async fn a_failed_rebuild_leaves_the_collection_before_it_answering() {
    let site = Site::new();
    let (config, blurbs) = with_blurbs(&site, 2);
    let served = Served::ready(config).await;
    site.write("004-lock.md", b"# Harbor Lock\n\nHarbor Lock is a museum now.\n");
    blurbs.tally.fails_from.store(1, Ordering::SeqCst);
    let failed = served.ingest().await;
    assert_eq!(failed["status"], "failed", "{failed}");
    for model in ["contextual-rag", "hybrid-rag"] {
        let (status, body) = served.ask(model, "What does Harbor Lock keep afloat?").await;
        assert_eq!(status, 200);
        let sources = body["rag_showcase"]["sources"].to_string();
        assert!(sources.contains("keeps ships afloat") && !sources.contains("museum"), "{model}: {sources}");
    }
    blurbs.tally.fails_from.store(0, Ordering::SeqCst);
    assert_eq!(served.ingest().await["status"], "completed");
    let (_, body) = served.ask("contextual-rag", "What does Harbor Lock keep afloat?").await;
    let sources = body["rag_showcase"]["sources"].to_string();
    assert!(sources.contains("museum") && !sources.contains("keeps ships afloat"), "{sources}");
    served.running.stop().await.unwrap();
    let leftover = "select 'left' from chunks c where not exists \
        (select 1 from collections k where k.ingestion_key = c.ingestion_key)";
    assert_eq!(rows(&site, leftover), Vec::<String>::new());
}

#[tokio::test]
async fn what_is_made_depends_on_the_aliases_and_names_the_ingestion() {
    let site = Site::new();
    let served = Served::start(site.config()).await;
    let plain = served.ingest().await;
    assert_eq!(phase(&plain, "vector_write")["counts"], json!({"vectors_written": 4}));
    assert_eq!(phase(&plain, "lightrag_upload")["status"], "skipped");
    served.running.stop().await.unwrap();
    let mut with_alias = site.config();
    with_alias.aliases.push(alias("contextual-rag", "contextual-rag", "default", &[]));
    let served = Served::start(with_alias).await;
    let contextual = served.ingest().await;
    assert_ne!(contextual["revision"], plain["revision"]);
    assert_eq!(contextual["counts"]["contextual_chunks"], 4);
    assert_eq!(served.ask("contextual-rag", "Grid?").await.0, 200);
    served.running.stop().await.unwrap();
    // Without the alias the contextual collection is taken out: it would answer from another ingestion.
    let served = Served::ready(site.config()).await;
    served.running.stop().await.unwrap();
    assert_eq!(rows(&site, "select collection from collections"), ["RagBase_harbor"]);
}
