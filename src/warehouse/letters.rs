//! Letters that show which approaches do not differ.
//!
//! Takes the answer of `metrics/stat_pairs` and an order of approaches, and hands both to `rankings/stat_letters`. Which
//! pairs differ, and what the groups are, comes from SQL.

use super::connection::{Parameter, Warehouse};
use super::table::Table;
use super::{Error, Result};
use serde_json::json;

impl Warehouse<'_> {
    /// The groups of `approaches` (best first) given the tests of one family.
    ///
    /// `pairs` is one scope and dataset of `metrics/stat_pairs`; pairs that were not tested count as not different.
    pub fn letters(&self, approaches: &[&str], pairs: &Table) -> Result<Table> {
        let mut different = Vec::new();
        for row in &pairs.rows {
            if row.text("verdict")? == "different" {
                different.push([row.text("approach_a")?, row.text("approach_b")?]);
            }
        }
        let text = |value: serde_json::Value| {
            crate::json::compact(&value).map(Parameter::Text).map_err(|error| Error::Statement {
                query: "rankings/stat_letters".to_owned(),
                reason: error.to_string(),
            })
        };
        let values = [("approaches", text(json!(approaches))?), ("different", text(json!(different))?)];
        self.query("rankings/stat_letters", &values)
    }
}
