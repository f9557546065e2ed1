//! The tokenizer of a static embedding model: from a text to token ids.
//!
//! Reads the bytes of a `tokenizer.json`; writes nothing. Adds no special tokens, cuts and pads nothing.

use super::{Layout, LocalModelError};
use serde_json::{Number, Value};
use std::path::Path;
use tokenizers::Tokenizer;

/// A tokenizer and what a table must know about it.
pub(super) struct Tokens {
    tokenizer: Tokenizer,
    highest_id: usize,
    /// Left out of a text's tokens.
    unknown: Option<u32>,
}

impl Tokens {
    /// Reads a tokenizer; a damaged or foreign file is refused with what is wrong with it.
    pub fn read(file: &Path, bytes: &[u8], layout: Layout) -> Result<Self, LocalModelError> {
        Self::parse(bytes, layout).map_err(|reason| LocalModelError::Tokenizer { file: file.to_owned(), reason })
    }

    fn parse(bytes: &[u8], layout: Layout) -> Result<Self, String> {
        let mut value: Value = serde_json::from_slice(bytes).map_err(|error| format!("it is no JSON: {error}"))?;
        plain_numbers(&mut value);
        let unknown_name = value.pointer("/model/unk_token").and_then(Value::as_str).map(str::to_owned);
        let unknown_id = value.pointer("/model/unk_id").and_then(Value::as_u64);
        let mut tokenizer: Tokenizer = serde_json::from_value(value).map_err(|error| error.to_string())?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|error| error.to_string())?;
        let Some(highest_id) = tokenizer.get_vocab(true).into_values().max() else {
            return Err("it knows no token".to_owned());
        };
        let named = unknown_name.and_then(|name| tokenizer.token_to_id(&name));
        let unknown = named.or_else(|| unknown_id.and_then(|id| u32::try_from(id).ok()));
        let unknown = unknown.filter(|_| layout == Layout::Model2Vec);
        Ok(Self { tokenizer, highest_id: highest_id as usize, unknown })
    }

    /// The largest id a text can give.
    pub fn highest_id(&self) -> usize {
        self.highest_id
    }

    /// The tokens of a text, in order.
    pub fn ids(&self, text: &str) -> Result<Vec<u32>, String> {
        let encoding = self.tokenizer.encode_fast(text, false).map_err(|error| error.to_string())?;
        let ids = encoding.get_ids().iter().copied();
        Ok(ids.filter(|id| Some(*id) != self.unknown).collect())
    }
}

/// Writes every fraction as the shortest text of its double.
///
/// With arbitrary precision serde_json hands any other spelling over as text, which the tokenizer's types refuse.
fn plain_numbers(value: &mut Value) {
    match value {
        Value::Number(number) if !number.is_u64() && !number.is_i64() => {
            if let Some(plain) = number.as_f64().and_then(Number::from_f64) {
                *number = plain;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(plain_numbers),
        Value::Object(map) => map.values_mut().for_each(plain_numbers),
        _ => {}
    }
}
