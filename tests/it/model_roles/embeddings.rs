//! An embedding model behind an endpoint: order, counts, dimensions.

use super::settings;
use crate::stub::{Reply, Stub};
use ragsql::gateway::remote::RemoteEmbedder;
use ragsql::gateway::roles::{Embedder, RoleError};
use serde_json::{Value, json};

/// Texts `0`, `1`, ... as vectors `[number, 1]`, the rows of every call in reverse order.
fn reversed(input: &Value) -> Reply {
    let rows = input.as_array().unwrap().iter().enumerate().map(|(index, text)| {
        let number: f64 = text.as_str().unwrap().parse().unwrap_or(-1.0);
        json!({"object": "embedding", "index": index, "embedding": [number, 1]})
    });
    let rows: Vec<Value> = rows.rev().collect();
    Reply::json(json!({"object": "list", "data": rows}))
}

fn numbers(count: usize) -> Vec<String> {
    (0..count).map(|number| number.to_string()).collect()
}

#[tokio::test]
async fn many_texts_go_in_batches_and_come_back_in_their_order() {
    let stub = Stub::start(|seen| reversed(&seen.body["input"])).await;
    let mut settings = settings(&stub);
    settings.max_batch = 3;
    settings.request_defaults.insert("encoding_format".to_owned(), json!("float"));
    let model = RemoteEmbedder::new(&settings).unwrap();
    assert_eq!((model.dimension(), model.name()), (0, "heron"));
    model.prepare().await.unwrap();
    assert_eq!(model.dimension(), 2);
    let vectors = model.embed(&numbers(8)).await.unwrap();
    assert_eq!(vectors, (0..8).map(|number| vec![number as f32, 1.0]).collect::<Vec<_>>());
    assert!(model.embed(&[]).await.unwrap().is_empty());
    let mut sizes: Vec<usize> = stub.seen().iter().map(|seen| seen.body["input"].as_array().unwrap().len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 2, 3, 3]);
    assert_eq!(stub.seen()[0].path, "/v1/embeddings");
    assert_eq!(stub.seen()[0].body["encoding_format"], "float");
}

async fn refused(rows: Value) -> RoleError {
    let stub = Stub::start(move |_| Reply::json(json!({"data": rows}))).await;
    RemoteEmbedder::new(&settings(&stub)).unwrap().embed(&numbers(2)).await.unwrap_err()
}

#[tokio::test]
async fn too_few_vectors_equal_places_and_other_dimensions_are_refused() {
    assert_eq!(refused(json!([{"index": 0, "embedding": [1]}])).await.message, "it gave 1 vectors for 2 texts");
    let twice = json!([{"index": 1, "embedding": [1]}, {"index": 1, "embedding": [2]}]);
    assert_eq!(refused(twice).await.message, "two rows have the index of row 1");
    let uneven = json!([{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1]}]);
    assert_eq!(refused(uneven).await.message, "it gave a vector of 1 components after one of 2");
}

#[tokio::test]
async fn a_model_that_changes_its_dimension_later_is_refused() {
    let stub = Stub::start(|seen| {
        let vector = if seen.number == 0 { json!([1, 2, 3]) } else { json!([1, 2]) };
        Reply::json(json!({"data": [{"embedding": vector}]}))
    })
    .await;
    let model = RemoteEmbedder::new(&settings(&stub)).unwrap();
    model.prepare().await.unwrap();
    let error = model.embed(&numbers(1)).await.unwrap_err();
    assert_eq!(error.to_string(), "the model `heron` failed: it gave a vector of 2 components after one of 3");
}
