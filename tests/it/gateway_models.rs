//! Cases of the gateway's own models: the lazy graph, the built-in roles and the evaluation endpoint's arithmetic.

mod answerer;
mod answers_on_the_project_corpus;
mod concepts;
mod embedding;
mod evaluate_limits;
mod evaluator;
mod hostile_text;
mod lazy_graph_cache;
mod lazy_graph_expansion;
mod lazy_graph_index;
mod lazy_graph_on_real_files;
mod reranker;
pub mod shared;
