//! The rows of every table of schema `site`, collected before they are written.
//!
//! Reads nothing; the kinds below are those of `sql/schema/0010_site.sql`.

use super::{Place, text};
use crate::warehouse::Kind::{Float, Integer, Text};
use crate::warehouse::{SiteRows, Value};

macro_rules! tables {
    ($($name:ident: [$($kind:ident),*]),* $(,)?) => {
        /// One growing table each.
        pub struct Rows { $(pub $name: SiteRows),* }

        impl Default for Rows {
            fn default() -> Self {
                Self { $($name: SiteRows::new(stringify!($name), &[$($kind),*])),* }
            }
        }

        impl Rows {
            /// All tables, ready to be written.
            pub fn into_tables(self) -> Vec<SiteRows> {
                vec![$(self.$name),*]
            }
        }
    };
}

tables! {
    dataset: [Integer, Text, Text, Integer, Text, Text, Text, Text, Text],
    snapshot: [Integer, Text, Text, Text, Text, Integer, Text],
    approach: [Integer, Text, Text, Text],
    experimental: [Text],
    model: [Text, Text, Text],
    artifact: [Text, Integer, Text],
    problem: [Text, Text, Integer, Text, Text],
    evaluation_dataset: [Text, Text, Text],
    evaluation_approach: [
        Text, Text, Text, Float, Integer, Integer, Float, Integer, Integer, Integer, Integer, Float, Float
    ],
    evaluation_metric: [Text, Text, Text, Text, Float, Integer, Integer, Integer, Integer, Integer, Float],
    panel: [Text, Text, Text],
    panel_judge: [Text, Text, Text],
    panel_question: [Text, Text, Integer, Text, Text, Text],
    panel_mean: [Text, Text, Integer, Text, Float],
    panel_score: [Text, Text, Integer, Text, Text, Float],
    panel_failure: [Text, Text, Integer, Text, Text],
    evaluator: [Text, Text, Text],
}

impl Rows {
    /// Notes something that has not the shape it must have; `step` is the validation it belongs to.
    pub fn problem(&mut self, place: Place, step: i64, at: &str, message: String) {
        let values = [text(place.dataset_id), text(place.tier), Value::Integer(step), text(at), Value::Text(message)];
        self.problem.push(values);
    }
}
