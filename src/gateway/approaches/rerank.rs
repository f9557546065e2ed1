//! Reranking with a model that may fail, skip texts, or answer in any order (`contract/gateway.md` section 2.2).
//!
//! Never fails: whatever the reranker does, the chunks come back in some order.

use super::generate::Chosen;
use crate::gateway::roles::{Reranked, Reranker};
use std::collections::HashSet;

/// Reorders `hits` by the reranker's scores and keeps the best `top_n`.
///
/// Hits go out in batches. Of a batch that was answered, scored hits are ranked (a missing score counts as 0) and the
/// others are appended with their old score; the first batch that fails sends itself and all later ones there too.
/// When nothing was ranked, the first `top_n` hits come back untouched.
pub async fn rerank(model: &dyn Reranker, query: &str, hits: Vec<Chosen>, top_n: usize) -> Vec<Chosen> {
    let mut ranked: Vec<Chosen> = Vec::new();
    let mut remainder: Vec<Chosen> = Vec::new();
    let mut failed = false;
    for batch in hits.chunks(model.max_batch().max(1)) {
        if failed {
            remainder.extend_from_slice(batch);
            continue;
        }
        let texts: Vec<String> = batch.iter().map(|hit| hit.text.clone()).collect();
        match model.rerank(query, &texts).await {
            Ok(rows) => split(batch, &rows, &mut ranked, &mut remainder),
            Err(error) => {
                tracing::warn!("reranking stopped: {error}");
                failed = true;
                remainder.extend_from_slice(batch);
            }
        }
    }
    if ranked.is_empty() {
        let mut hits = hits;
        hits.truncate(top_n);
        return hits;
    }
    ranked.sort_by(|left, right| right.score.unwrap_or(0.0).total_cmp(&left.score.unwrap_or(0.0)));
    ranked.append(&mut remainder);
    ranked.truncate(top_n);
    ranked
}

/// Takes the first row of every hit; rows for no hit are ignored, hits without a row keep their old score.
fn split(batch: &[Chosen], rows: &[Reranked], ranked: &mut Vec<Chosen>, remainder: &mut Vec<Chosen>) {
    let mut seen = HashSet::new();
    for row in rows {
        if let Some(hit) = batch.get(row.index).filter(|_| seen.insert(row.index)) {
            // Adding zero turns -0.0 into 0.0, which the total order would tell apart.
            let score = row.score.filter(|score| score.is_finite()).map(|score| score + 0.0);
            ranked.push(Chosen { score, ..hit.clone() });
        }
    }
    let missed = batch.iter().enumerate().filter(|(index, _)| !seen.contains(index));
    remainder.extend(missed.map(|(_, hit)| hit.clone()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::roles::{RoleError, RoleFuture};
    use std::sync::Mutex;

    /// Replies batch by batch as scripted.
    struct Scripted {
        batch: usize,
        replies: Mutex<Vec<Option<Vec<Reranked>>>>,
    }

    impl Reranker for Scripted {
        fn name(&self) -> &str {
            "scripted"
        }
        fn max_batch(&self) -> usize {
            self.batch
        }
        fn rerank<'a>(&'a self, _: &'a str, _: &'a [String]) -> RoleFuture<'a, Vec<Reranked>> {
            let reply = self.replies.lock().unwrap().remove(0);
            let failure = RoleError::new("scripted", "status 503");
            Box::pin(async move { reply.ok_or(failure) })
        }
    }

    type Rows = Vec<(usize, Option<f64>)>;

    async fn run(
        old: &[f64],
        batch: usize,
        top_n: usize,
        replies: Vec<Option<Rows>>,
    ) -> (Vec<(String, Option<f64>)>, usize) {
        let rows = |rows: Rows| rows.into_iter().map(|(index, score)| Reranked { index, score }).collect();
        let model = Scripted { batch, replies: Mutex::new(replies.into_iter().map(|reply| reply.map(rows)).collect()) };
        let letters = ["A", "B", "C", "D", "E"];
        let hits = old.iter().zip(letters).map(|(score, name)| Chosen {
            title: name.to_owned(),
            text: name.to_owned(),
            score: Some(*score),
        });
        let ranked = rerank(&model, "q", hits.collect(), top_n).await;
        let left = model.replies.lock().unwrap().len();
        (ranked.into_iter().map(|hit| (hit.title, hit.score)).collect(), left)
    }

    fn expect(pairs: &[(&str, Option<f64>)]) -> Vec<(String, Option<f64>)> {
        pairs.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect()
    }

    #[tokio::test]
    async fn rerank_vectors_hold() {
        let (got, _) = run(&[0.7; 3], 32, 2, vec![Some(vec![(2, Some(0.9)), (0, Some(0.5)), (1, Some(0.1))])]).await;
        assert_eq!(got, expect(&[("C", Some(0.9)), ("A", Some(0.5))]), "TV-90");
        let rows = vec![(3, None), (2, Some(-1.0)), (1, Some(0.0)), (0, None)];
        let (got, _) = run(&[0.7; 4], 32, 9, vec![Some(rows)]).await;
        assert_eq!(got, expect(&[("D", None), ("B", Some(0.0)), ("A", None), ("C", Some(-1.0))]), "TV-91");
        let (got, _) = run(&[0.7; 3], 32, 9, vec![Some(vec![(1, Some(-5.0))])]).await;
        assert_eq!(got, expect(&[("B", Some(-5.0)), ("A", Some(0.7)), ("C", Some(0.7))]), "TV-92");
        let (got, _) = run(&[0.7; 2], 32, 9, vec![Some(vec![(0, Some(0.1)), (0, Some(0.9)), (1, Some(0.5))])]).await;
        assert_eq!(got, expect(&[("B", Some(0.5)), ("A", Some(0.1))]), "TV-93");
        let replies = vec![Some(vec![(1, Some(0.9)), (0, Some(0.1))]), None, Some(vec![])];
        let (got, left) = run(&[0.2; 5], 2, 9, replies).await;
        let old = Some(0.2);
        assert_eq!(got, expect(&[("B", Some(0.9)), ("A", Some(0.1)), ("C", old), ("D", old), ("E", old)]), "TV-94");
        assert_eq!(left, 1, "the third batch is not tried");
        let (got, left) = run(&[0.2; 5], 2, 3, vec![None, None, None]).await;
        assert_eq!((got, left), (expect(&[("A", old), ("B", old), ("C", old)]), 2), "TV-95");
        let (got, _) = run(&[0.2; 2], 32, 9, vec![Some(vec![])]).await;
        assert_eq!(got, expect(&[("A", old), ("B", old)]), "TV-96");
    }
}
