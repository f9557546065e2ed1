//! Walking the graph from question and seeds to chunks.
//!
//! Source: `contract/gateway.md` section 2.7.6. Scores are added in the documented order, seeds first and then visit by
//! visit, so equal input gives equal bits.

use super::{Hit, Index, chunk_id, extract_concepts};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// How many concepts of the question are followed.
const QUESTION_CONCEPTS: i64 = 16;
/// The score of a concept that the question names.
const QUESTION_SCORE: f64 = 4.0;
/// The score of the first seed; the seed at rank n gets this over n.
const SEED_SCORE: f64 = 3.0;
/// What is left of a score one step further.
const DECAY: f64 = 0.5;
/// How many neighbours of one concept are followed.
const NEIGHBOURS: usize = 16;

/// How far an expansion may go; 0 counts as 1 for both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many concepts may be visited.
    pub relevance_budget: usize,
    /// How many chunks may come back.
    pub max_context_chunks: usize,
}

/// What an expansion found.
#[derive(Debug, Clone, PartialEq)]
pub struct Expansion {
    /// The best chunks, the best first.
    pub hits: Vec<Hit>,
    /// How many concepts were visited.
    pub relevance_tests: usize,
    /// The visited concepts in order.
    pub visited: Vec<String>,
}

impl Index {
    /// Expands question and seeds over the graph.
    ///
    /// Seeds that the index does not know keep their rank but score nothing. When nothing scores, the first seeds come
    /// back with the scores they brought.
    pub fn retrieve(&self, question: &str, seeds: &[Hit], limits: Limits) -> Expansion {
        let mut walk = Walk::new(self);
        for name in extract_concepts(question, QUESTION_CONCEPTS) {
            if let Some(concept) = self.concept_numbers.get(&name) {
                walk.push(*concept, QUESTION_SCORE);
            }
        }
        for (rank, seed) in seeds.iter().enumerate() {
            let Some(chunk) = self.chunk_numbers.get(&chunk_id(&seed.chunk)) else { continue };
            let score = SEED_SCORE / (rank + 1) as f64;
            walk.chunk_scores[*chunk] += score;
            for concept in &self.chunks[*chunk].concepts {
                walk.push(*concept, score);
            }
        }
        walk.run(limits.relevance_budget.max(1));

        let mut hits = self.ranked(&walk.chunk_scores);
        if hits.is_empty() {
            hits = seeds.to_vec();
        }
        hits.truncate(limits.max_context_chunks.max(1));
        let visited: Vec<String> = walk.order.iter().map(|concept| self.concepts[*concept].name.clone()).collect();
        Expansion { hits, relevance_tests: visited.len(), visited }
    }

    /// All chunks with a score: score descending, then title, then id.
    fn ranked(&self, scores: &[f64]) -> Vec<Hit> {
        let mut numbers: Vec<usize> = (0..scores.len()).filter(|chunk| scores[*chunk] > 0.0).collect();
        let key = |chunk: &usize| (&self.chunks[*chunk].chunk.title, &self.chunks[*chunk].id);
        numbers
            .sort_by(|left, right| scores[*right].total_cmp(&scores[*left]).then_with(|| key(left).cmp(&key(right))));
        numbers
            .into_iter()
            .map(|chunk| Hit { chunk: self.chunks[chunk].chunk.clone(), score: Some(scores[chunk]) })
            .collect()
    }
}

/// One expansion under way.
struct Walk<'index> {
    index: &'index Index,
    chunk_scores: Vec<f64>,
    best: Vec<f64>,
    seen: Vec<bool>,
    order: Vec<usize>,
    waiting: BinaryHeap<Waiting>,
}

impl<'index> Walk<'index> {
    fn new(index: &'index Index) -> Self {
        Self {
            index,
            chunk_scores: vec![0.0; index.chunks.len()],
            best: vec![0.0; index.concepts.len()],
            seen: vec![false; index.concepts.len()],
            order: Vec::new(),
            waiting: BinaryHeap::new(),
        }
    }

    fn push(&mut self, concept: usize, score: f64) {
        if self.index.concepts[concept].chunks.is_some() && score > self.best[concept] {
            self.best[concept] = score;
            self.waiting.push(Waiting { score, concept: Reverse(concept) });
        }
    }

    /// Visits concepts until the budget is spent; one that waits twice costs nothing the second time.
    fn run(&mut self, budget: usize) {
        while self.order.len() < budget
            && let Some(Waiting { score, concept: Reverse(concept) }) = self.waiting.pop()
        {
            if !std::mem::replace(&mut self.seen[concept], true) {
                self.order.push(concept);
                self.visit(concept, score);
            }
        }
    }

    fn visit(&mut self, concept: usize, score: f64) {
        let index = self.index;
        for chunk in index.concepts[concept].chunks.iter().flatten() {
            self.chunk_scores[*chunk] += score;
        }
        let mut neighbours: Vec<(Reverse<u64>, usize)> = index.concepts[concept]
            .neighbours
            .iter()
            .flatten()
            .map(|(neighbour, weight)| (Reverse(*weight), *neighbour))
            .collect();
        if neighbours.len() > NEIGHBOURS {
            neighbours.select_nth_unstable(NEIGHBOURS);
            neighbours.truncate(NEIGHBOURS);
        }
        neighbours.sort_unstable();
        let heaviest = neighbours.first().map_or(1, |(Reverse(weight), _)| *weight);
        for (Reverse(weight), neighbour) in neighbours {
            self.push(neighbour, (score * DECAY) * (weight as f64 / heaviest as f64));
        }
    }
}

/// A concept in the queue: the higher score first, then the smaller name.
#[derive(PartialEq)]
struct Waiting {
    score: f64,
    concept: Reverse<usize>,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(self.concept.cmp(&other.concept))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
