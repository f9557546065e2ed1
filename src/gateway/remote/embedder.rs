//! An embedding model behind an endpoint.
//!
//! Source: `contract/gateway.md` section 1.12, and more: every text has exactly one vector, all vectors have the same
//! number of components, and every component is finite. Vectors are taken as they are; nothing assumes length 1.

use super::connection::Connection;
use super::{Settings, body, request};
use crate::gateway::roles::{Embedder, RoleError, RoleFuture};
use crate::wire::call::EndpointError;
use crate::wire::failure::{CallFailure, FailureKind};
use futures_util::future::try_join_all;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

/// What is embedded to learn the dimension.
const PROBE: &str = "dimension";

/// An embedding model; share it, its limit of calls in flight counts all of them.
pub struct RemoteEmbedder {
    connection: Connection,
    defaults: Map<String, Value>,
    max_batch: usize,
    dimension: OnceLock<usize>,
}

impl RemoteEmbedder {
    /// Prepares a client; calls nobody. The dimension is 0 until [`Embedder::prepare`] has asked.
    pub fn new(settings: &Settings) -> Result<Self, EndpointError> {
        Ok(Self {
            connection: Connection::new(settings, "embeddings")?,
            defaults: settings.request_defaults.clone(),
            max_batch: settings.max_batch.max(1),
            dimension: OnceLock::new(),
        })
    }

    async fn batch(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, RoleError> {
        let body = request(json!({"model": self.name(), "input": texts}), &self.defaults);
        let vectors = self
            .connection
            .call(|| async {
                let Connection { http, endpoint, .. } = &self.connection;
                let reply = http.post(endpoint, body.clone(), self.connection.timeout_s()).await?;
                let parsed = body::read(&reply.body, reply.retry_after_s)?;
                let read = read(&parsed.value, texts.len());
                Ok(read.map_err(|message| CallFailure::new(FailureKind::Value, message))?)
            })
            .await?;
        for vector in &vectors {
            let known = *self.dimension.get_or_init(|| vector.len());
            if vector.len() != known {
                let message = format!("it gave a vector of {} components after one of {known}", vector.len());
                return Err(RoleError::new(self.name(), message));
            }
        }
        Ok(vectors)
    }
}

impl Embedder for RemoteEmbedder {
    fn name(&self) -> &str {
        self.connection.model()
    }

    fn dimension(&self) -> usize {
        self.dimension.get().copied().unwrap_or(0)
    }

    fn prepare(&self) -> RoleFuture<'_, ()> {
        Box::pin(async { self.batch(&[PROBE.to_owned()]).await.map(drop) })
    }

    fn embed<'a>(&'a self, texts: &'a [String]) -> RoleFuture<'a, Vec<Vec<f32>>> {
        Box::pin(async move {
            let batches = try_join_all(texts.chunks(self.max_batch).map(|batch| self.batch(batch))).await?;
            Ok(batches.into_iter().flatten().collect())
        })
    }
}

/// Reads the vectors of `text_n` texts in the order of the texts.
///
/// Rows carry their position as `index`, in any order; a list without any index is in order.
fn read(value: &Value, text_n: usize) -> Result<Vec<Vec<f32>>, String> {
    let rows = value.get("data").and_then(Value::as_array).ok_or("the reply has no list `data`")?;
    if rows.len() != text_n {
        return Err(format!("it gave {} vectors for {text_n} texts", rows.len()));
    }
    let unnumbered = rows.iter().all(|row| row.get("index").is_none());
    let mut ordered: Vec<Option<Vec<f32>>> = vec![None; text_n];
    for (position, row) in rows.iter().enumerate() {
        let index = if unnumbered { Some(position) } else { row.get("index").and_then(index) };
        let place = index.and_then(|index| ordered.get_mut(index));
        let place = place.ok_or_else(|| format!("row {position} has no index below {text_n}"))?;
        if place.is_some() {
            return Err(format!("two rows have the index of row {position}"));
        }
        *place = Some(vector(row).map_err(|what| format!("the vector of row {position} {what}"))?);
    }
    Ok(ordered.into_iter().flatten().collect())
}

fn index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|index| usize::try_from(index).ok())
}

fn vector(row: &Value) -> Result<Vec<f32>, &'static str> {
    let numbers = row.get("embedding").and_then(Value::as_array).ok_or("is no list of numbers")?;
    let components: Option<Vec<f32>> = numbers.iter().map(|number| Some(number.as_f64()? as f32)).collect();
    let components = components.ok_or("has a component that is no number")?;
    if components.iter().any(|component| !component.is_finite()) {
        return Err("has a component that is not finite");
    }
    // Nothing can be near a vector without direction.
    if components.iter().all(|component| *component == 0.0) {
        return Err("has no component but zeros");
    }
    Ok(components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_put_in_the_order_of_the_texts() {
        let rows = json!({"data": [{"index": 1, "embedding": [3, 4.5]}, {"index": 0, "embedding": [0, -1e-3]}]});
        assert_eq!(read(&rows, 2).unwrap(), [[0.0, -0.001], [3.0, 4.5]]);
        let rows = json!({"data": [{"embedding": [1]}, {"embedding": [2]}]});
        assert_eq!(read(&rows, 2).unwrap(), [[1.0], [2.0]]);
    }

    #[test]
    fn whatever_does_not_give_every_text_its_vector_is_refused() {
        for (rows, text_n, message) in [
            (json!({}), 1, "the reply has no list `data`"),
            (json!({"data": []}), 1, "it gave 0 vectors for 1 texts"),
            (json!({"data": [{"index": 0, "embedding": [1]}]}), 2, "it gave 1 vectors for 2 texts"),
            (
                json!({"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}),
                2,
                "two rows have the index of row 1",
            ),
            (json!({"data": [{"index": 1, "embedding": [1]}]}), 1, "row 0 has no index below 1"),
            (json!({"data": [{"index": 0, "embedding": [1]}, {"embedding": [1]}]}), 2, "row 1 has no index below 2"),
            (json!({"data": [{"index": 0, "embedding": "AAAA"}]}), 1, "the vector of row 0 is no list of numbers"),
            (json!({"data": [{"embedding": [1, null]}]}), 1, "the vector of row 0 has a component that is no number"),
            (json!({"data": [{"embedding": [1e300]}]}), 1, "the vector of row 0 has a component that is not finite"),
            (json!({"data": [{"embedding": [0, 0.0]}]}), 1, "the vector of row 0 has no component but zeros"),
            (json!({"data": [{"embedding": []}]}), 1, "the vector of row 0 has no component but zeros"),
        ] {
            assert_eq!(read(&rows, text_n).unwrap_err(), message, "{rows}");
        }
    }
}
