//! An index of the first version is brought up to date; one of a later version is refused.

use super::support::{Served, Site, config};
use ragsql::gateway::corpus::{Corpus, CorpusError};

/// Takes out of an index what version 2 added.
const BACK_TO_VERSION_1: &str = "drop table blurbs; drop table extractions; drop table entities; drop table relations; \
    drop table mentions; drop table graphs; drop table graph_vectors; update corpus_index set version = 1";

#[tokio::test]
async fn an_index_of_version_1_keeps_its_chunks_and_learns_the_rest() {
    let site = Site::new();
    let served = Served::ready(site.config()).await;
    served.running.stop().await.unwrap();
    duckdb::Connection::open(site.index()).unwrap().execute_batch(BACK_TO_VERSION_1).unwrap();
    let served = Served::start(config(&site)).await;
    assert_eq!(served.ask("hybrid-rag", "Grid?").await.0, 200, "what was ingested still answers");
    let (status, body) = served.ask("graph-rag", "What does Grid Nine power?").await;
    assert_eq!((status, body["error"]["code"].as_str()), (503, Some("corpus_not_ready")), "{body}");
    assert_eq!(served.ingest().await["status"], "completed");
    for model in ["graph-rag", "contextual-rag"] {
        assert_eq!(served.ask(model, "What does Grid Nine power?").await.0, 200, "{model}");
    }
    served.running.stop().await.unwrap();
    let served = Served::start(config(&site)).await;
    assert_eq!(served.ask("graph-rag", "What does Grid Nine power?").await.0, 200);
    served.running.stop().await.unwrap();
}

#[test]
fn an_index_of_a_later_version_is_refused_and_left_alone() {
    let site = Site::new();
    drop(Corpus::open(&site.index(), "m", 4).unwrap());
    duckdb::Connection::open(site.index()).unwrap().execute_batch("update corpus_index set version = 3").unwrap();
    let error = Corpus::open(&site.index(), "m", 4).err().unwrap();
    assert!(matches!(error, CorpusError::Version { .. }), "{error}");
    assert!(error.to_string().contains("ragsql corpus index 3"), "{error}");
}
