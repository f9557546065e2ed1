//! `compare/prices.yaml`: what tokens cost, by the name of the model that answers.
//!
//! Reads the file's tree; writes nothing. The file is optional, and a model that it does not name costs nobody knows what.
//! Prices do not change an answer, so the file is not among the hashes that rows keep.

use super::document::{Document, Format, Node};
use super::fields::{Check, Fields, NumberRange};
use super::paths;
use super::problem::{Problems, quoted};
use std::collections::BTreeMap;
use std::path::Path;

/// Where prices stand in a project.
pub const PRICES_FILE: &str = "compare/prices.yaml";
/// Tokens in the unit of a price.
const TOKENS_PER_PRICE: f64 = 1_000_000.0;

/// What a million tokens of a model cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Tokens sent, 0 or more.
    pub input_per_million: f64,
    /// Tokens generated, 0 or more.
    pub output_per_million: f64,
}

impl Price {
    /// The cost of one answer, in the file's currency.
    pub fn of(&self, prompt_tokens: u64, completion_tokens: u64) -> f64 {
        (prompt_tokens as f64 * self.input_per_million + completion_tokens as f64 * self.output_per_million)
            / TOKENS_PER_PRICE
    }
}

/// The prices of a project.
#[derive(Debug, Clone, PartialEq)]
pub struct Prices {
    /// For people, for instance `USD`.
    pub currency: String,
    /// By model name, exactly as the service writes it.
    pub models: BTreeMap<String, Price>,
}

impl Prices {
    /// The first of these names that has a price.
    pub fn find(&self, names: &[&str]) -> Option<&Price> {
        names.iter().find_map(|name| self.models.get(*name))
    }
}

/// Reads a project's prices; null without the file.
pub fn load(project: &Path) -> Result<Option<Prices>, Problems> {
    let path = paths::resolve(project, PRICES_FILE);
    if !path.exists() {
        return Ok(None);
    }
    let mut problems = Problems::default();
    let prices = Document::read(&path, PRICES_FILE, Format::Yaml, &mut problems)
        .and_then(|document| read(&document, &mut problems));
    problems.into_result(Some(prices))
}

fn read(document: &Document, problems: &mut Problems) -> Option<Prices> {
    let empty = Prices { currency: String::new(), models: BTreeMap::new() };
    let Some(root) = &document.root else { return Some(empty) };
    let check = &mut Check::new(document, problems);
    let fields = Fields::open(root, "prices file", &["version", "currency", "models", "extra"], check)?;
    fields.required("version", check, |c, n, k| c.integer(n, k, 1..=1));
    let currency = fields.required("currency", check, Check::text);
    let nodes = fields.required("models", check, Check::list).unwrap_or_default();
    let mut models = BTreeMap::new();
    for node in nodes {
        let Some((model, price)) = model(node, check) else { continue };
        if models.insert(model.clone(), price).is_some() {
            check.refuse(node.place, format!("the model {} is listed twice", quoted(&model)), None);
        }
    }
    Some(Prices { currency: currency?, models })
}

fn model(node: &Node, check: &mut Check) -> Option<(String, Price)> {
    let fields = Fields::open(node, "price", &["model", "input_per_million", "output_per_million"], check)?;
    let range = NumberRange { min: 0.0, above: false, max: 1e9 };
    let model = fields.required("model", check, Check::identifier);
    let input = fields.required("input_per_million", check, |c, n, k| c.number(n, k, range));
    let output = fields.required("output_per_million", check, |c, n, k| c.number(n, k, range));
    Some((model?, Price { input_per_million: input?, output_per_million: output? }))
}
