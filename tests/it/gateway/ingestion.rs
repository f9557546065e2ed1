//! The life of an ingestion.

use super::support::{Gated, Served, Site};
use ragsql::gateway::identity_of;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn phase<'a>(record: &'a Value, name: &str) -> &'a Value {
    record["phases"].as_array().unwrap().iter().find(|phase| phase["name"] == name).unwrap()
}

#[tokio::test]
async fn eight_phases_lead_to_a_searchable_collection() {
    let site = Site::new();
    let config = site.config();
    let offline = identity_of(&config, "harbor").unwrap();
    let served = Served::start(config).await;
    let (status, body) = served.ask("vanilla-rag", "Grid?").await;
    assert_eq!((status, &body["error"]["code"]), (503, &json!("corpus_not_ready")));
    let record = served.ingest().await;
    assert_eq!(record["id"], offline.id);
    assert_eq!(record["revision"], offline.revision);
    assert_eq!(record["content_digest"], offline.content_digest);
    let names: Vec<&Value> = record["phases"].as_array().unwrap().iter().map(|phase| &phase["name"]).collect();
    assert_eq!(names, ["discover", "parse", "chunk", "embed", "vector_write", "lightrag_upload", "drain", "finalize"]);
    assert_eq!(phase(&record, "embed")["status"], "completed");
    assert_eq!(phase(&record, "lightrag_upload")["status"], "skipped");
    assert_eq!(phase(&record, "lightrag_upload")["note"], "no graph target is configured");
    assert!(phase(&record, "parse")["duration_ms"].as_i64().unwrap() >= 0);
    assert!(phase(&record, "parse")["started_at"].as_str().unwrap().ends_with('Z'));
    let counts = json!({"files_discovered": 4, "documents_parsed": 4, "chunks": 4, "vectors_written": 4, "documents_uploaded": 0});
    assert_eq!(record["counts"], counts);
    assert_eq!(record["errors"], json!([]));
    assert_eq!(served.ask("vanilla-rag", "Grid?").await.0, 200);
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn equal_content_is_the_same_job_and_changed_content_replaces_the_collection() {
    let site = Site::new();
    let served = Served::ready(site.config()).await;
    let first = served.ingest().await;
    let (_, again) = served.post("/api/rag/ingestions", &json!({"profile": "harbor"})).await;
    assert_eq!((&again["ingestion_id"], &again["status"]), (&first["id"], &json!("completed")));
    site.write("004-lock.md", b"Harbor Lock was replaced by a bridge of glass.");
    let second = served.ingest().await;
    assert_ne!(second["id"], first["id"]);
    assert_eq!(second["revision"], first["revision"]);
    let (_, body) = served.ask("vanilla-rag", "What replaced Harbor Lock?").await;
    assert!(body["rag_showcase"]["answer"].as_str().unwrap().contains("bridge of glass"), "{body}");
    // Going back to content that was ingested once must not answer from the content in between.
    let old = super::support::DOCUMENTS[3];
    site.write(old.0, old.1.as_bytes());
    let third = served.ingest().await;
    assert_eq!(third["id"], first["id"]);
    let (_, body) = served.ask("lazy-graph-rag", "What does Harbor Lock keep afloat?").await;
    let text = body["rag_showcase"]["sources"].to_string();
    assert!(text.contains("keeps ships afloat") && !text.contains("bridge of glass"), "{text}");
    let (_, list) = served.get("/api/rag/ingestions").await;
    assert_eq!(list["ingestions"].as_array().unwrap().len(), 2);
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn hostile_files_are_recorded_by_name_and_the_rest_is_ingested() {
    let site = Site::new();
    site.write("zero.md", b"");
    site.write("blank.md", b" \n\t\n");
    site.write("latin.md", b"caf\xe9");
    site.write("nul.txt", b"a\0b");
    site.write("photo.png", b"\x89PNG");
    site.write(".hidden.md", b"hidden words");
    site.write("bom.md", b"\xef\xbb\xbfBuoy Seven\r\nblinks twice.\r\n");
    site.write("long.txt", "alpha beta gamma ".repeat(10 * 1024 * 1024 / 17).as_bytes());
    std::fs::write(site.folder.path().join("secret.md"), "the password is swordfish").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(site.folder.path().join("secret.md"), site.corpus().join("escape.md")).unwrap();
        symlink(site.corpus(), site.corpus().join("loop")).unwrap();
        symlink(site.corpus().join("nowhere.md"), site.corpus().join("dangling.md")).unwrap();
    }
    let served = Served::ready(site.config()).await;
    let record = served.ingest().await;
    let problems: Vec<(&str, &str)> = record["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| (error["file"].as_str().unwrap(), error["message"].as_str().unwrap()))
        .collect();
    let expected = [
        ("harbor/blank.md", "the file holds no text"),
        ("harbor/latin.md", "the file is not UTF-8 at offset 3"),
        ("harbor/nul.txt", "the file holds a NUL byte at offset 1, so it is not text"),
        ("harbor/photo.png", "unsupported: only `.md` and `.txt` files are read"),
        ("harbor/zero.md", "the file is empty"),
        #[cfg(unix)]
        ("harbor/escape.md", "the symbolic link leads out of the corpus"),
        #[cfg(unix)]
        ("harbor/loop", "a symbolic link to a folder is not followed"),
    ];
    for entry in expected {
        assert!(problems.contains(&entry), "{entry:?} is not in {problems:?}");
    }
    assert_eq!(problems.iter().filter(|(file, _)| file.ends_with("dangling.md")).count(), usize::from(cfg!(unix)));
    let (_, body) = served.ask("hybrid-rag", "What does Buoy Seven do?").await;
    let sources = body["rag_showcase"]["sources"].as_array().unwrap();
    let buoy = sources.iter().find(|source| source["title"] == "harbor/bom.md").unwrap();
    assert_eq!(buoy["snippet"], "Buoy Seven\nblinks twice.");
    let (_, body) = served.ask("hybrid-rag", "password swordfish hidden words").await;
    let text = body["rag_showcase"]["sources"].to_string();
    assert!(!text.contains("swordfish") && !text.contains("hidden words"), "{text}");
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_failed_job_goes_on_from_the_phase_that_failed() {
    let site = Site::new();
    let open = Arc::new(AtomicBool::new(false));
    let mut config = site.config();
    config.roles.embed = Arc::new(Gated { open: Arc::clone(&open) });
    let served = Served::start(config).await;
    let failed = served.ingest().await;
    assert_eq!(failed["status"], "failed");
    assert_eq!(phase(&failed, "chunk")["status"], "completed");
    assert_eq!(phase(&failed, "embed")["status"], "failed");
    assert_eq!(phase(&failed, "finalize")["status"], "pending");
    assert_eq!(failed["errors"][0]["phase"], "embed");
    assert_eq!(failed["errors"][0]["message"], "the model `scripted/model` failed: status 503");
    open.store(true, Ordering::SeqCst);
    let done = served.ingest().await;
    assert_eq!((&done["id"], &done["status"]), (&failed["id"], &json!("completed")));
    assert_eq!(done["errors"], json!([]));
    assert_eq!(phase(&done, "chunk")["started_at"], phase(&failed, "chunk")["started_at"]);
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_gateway_that_dies_during_a_phase_leaves_a_job_that_completes_when_submitted_again() {
    let site = Site::new();
    let mut config = site.config();
    let (asked, dropped) = (Arc::new(tokio::sync::Notify::new()), Arc::new(tokio::sync::Notify::new()));
    config.roles.embed = Arc::new(super::support::Silent { asked: Arc::clone(&asked), dropped });
    let served = Served::start(config).await;
    let (_, accepted) = served.post("/api/rag/ingestions", &json!({"profile": "harbor"})).await;
    asked.notified().await;
    let (_, again) = served.post("/api/rag/ingestions", &json!({"profile": "harbor"})).await;
    assert_eq!(again["ingestion_id"], accepted["ingestion_id"]);
    served.running.stop().await.unwrap();

    let served = Served::start(site.config()).await;
    let id = accepted["ingestion_id"].as_str().unwrap();
    let (_, record) = served.get(&format!("/api/rag/ingestions/{id}")).await;
    assert_eq!((&record["status"], &phase(&record, "embed")["status"]), (&json!("pending"), &json!("running")));
    let done = served.ingest().await;
    assert_eq!((&done["id"], &done["status"]), (&json!(id), &json!("completed")));
    assert_eq!(done["counts"]["vectors_written"], 4);
    assert_eq!(served.ask("hybrid-rag", "Grid?").await.0, 200);
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_cancelled_job_stops_at_its_next_pause_and_can_be_taken_up_again() {
    let site = Site::new();
    site.write("long.txt", "alpha beta gamma ".repeat(200_000).as_bytes());
    let served = Served::start(site.config()).await;
    let (_, accepted) = served.post("/api/rag/ingestions", &json!({"profile": "harbor"})).await;
    let id = accepted["ingestion_id"].as_str().unwrap();
    let (status, _) = served.post(&format!("/api/rag/ingestions/{id}/cancel"), &json!({})).await;
    assert_eq!(status, 200);
    let record = served.wait(id).await;
    assert_eq!(record["status"], "cancelled", "{record}");
    assert_eq!(phase(&record, "finalize")["status"], "pending");
    let done = served.ingest().await;
    assert_eq!(done["status"], "completed");
    let (status, same) = served.post(&format!("/api/rag/ingestions/{id}/cancel"), &json!({})).await;
    assert_eq!((status, &same["status"]), (200, &json!("completed")));
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn wrong_submissions_are_refused() {
    let site = Site::new();
    let served = Served::start(site.config()).await;
    let cases = [
        (json!({"profile": "nope"}), 404, "unknown ingestion profile `nope`; known are `harbor`"),
        (json!({"profile": ""}), 400, "1 to 128 characters"),
        (json!({"profile": "p".repeat(129)}), 400, "1 to 128 characters"),
        (json!({"profile": 5}), 422, "`profile` must be a string"),
        (json!({}), 422, "`profile` is missing"),
        (json!({"profile": "harbor", "corpus_path": "../harbor"}), 400, "without `..`"),
        (json!({"profile": "harbor", "corpus_path": "/etc"}), 400, "relative path"),
        (json!({"profile": "harbor", "corpus_path": "nowhere"}), 400, "does not exist"),
        (json!({"profile": "harbor", "corpus_path": "harbor/001-pump.md"}), 400, "is not a folder"),
    ];
    for (body, wanted, words) in cases {
        let (status, reply) = served.post("/api/rag/ingestions?async_job=true", &body).await;
        assert_eq!(status, wanted, "{body}: {reply}");
        assert!(reply["detail"].as_str().unwrap().contains(words), "{reply}");
    }
    for path in ["/api/rag/ingestions/nope", "/api/rag/ingestions/%00"] {
        assert_eq!(served.get(path).await.0, 404, "{path}");
    }
    assert_eq!(served.post("/api/rag/ingestions/nope/cancel", &json!({})).await.0, 404);
    let (status, accepted) =
        served.post("/api/rag/ingestions", &json!({"profile": "harbor", "corpus_path": "harbor"})).await;
    assert_eq!(status, 202, "{accepted}");
    assert_eq!(served.wait(accepted["ingestion_id"].as_str().unwrap()).await["status"], "completed");
    served.running.stop().await.unwrap();
}
