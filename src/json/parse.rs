//! Reading: strict, with the reason and the place of a refusal.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Says why a text is not acceptable JSON.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// What is wrong, in one line, without the position.
    pub message: String,
    /// One-based line within the text.
    pub line: usize,
    /// One-based column in bytes within the line; 0 when the text ended too early.
    pub column: usize,
}

impl From<serde_json::Error> for ParseError {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let full = error.to_string();
        let message = full.rsplit_once(" at line ").map_or(full.as_str(), |(text, _)| text).to_owned();
        Self { message, line, column }
    }
}

/// Parses one JSON document.
///
/// Refuses what a silent reader would lose: a repeated key in an object, a lone surrogate escape, text after the
/// value, a number outside the range of a double, and nesting beyond 128 levels (reported, never a stack overflow).
pub fn parse_strict(text: &str) -> Result<Value, ParseError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Strict.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// The deepest nesting of a value from outside that may enter a row.
///
/// A row adds a few levels of its own and must stay below the 128 that readers of rows allow.
pub const STORABLE_LEVELS: usize = 100;

/// Whether `value` is nested at most [`STORABLE_LEVELS`] deep.
pub fn is_storable_depth(value: &Value) -> bool {
    fn within(value: &Value, levels: usize) -> bool {
        match value {
            Value::Array(items) => levels > 0 && items.iter().all(|item| within(item, levels - 1)),
            Value::Object(map) => levels > 0 && map.values().all(|item| within(item, levels - 1)),
            _ => true,
        }
    }
    within(value, STORABLE_LEVELS)
}

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element_seed(Strict)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            // With arbitrary precision serde_json hands numbers over as a one-entry map under this private key.
            if map.is_empty() && key == NUMBER_TOKEN {
                return number(access.next_value::<String>()?).map_err(A::Error::custom);
            }
            let value = access.next_value_seed(Strict)?;
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key `{key}` appears twice in one object")));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

const NUMBER_TOKEN: &str = "$serde_json::private::Number";

fn number(token: String) -> Result<Value, String> {
    if token.contains(['.', 'e', 'E']) && !token.parse::<f64>().is_ok_and(f64::is_finite) {
        return Err(format!("the number `{token}` is outside the range of a double"));
    }
    let mut deserializer = serde_json::Deserializer::from_str(&token);
    Number::deserialize(&mut deserializer).map(Value::Number).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_would_be_lost_silently() {
        for text in ["{\"a\":1,\"a\":2}", "NaN", "[1e999]", "{}oops", "\"\\ud83d\"", "", "[1,]", "'a'"] {
            assert!(parse_strict(text).is_err(), "{text}");
        }
        assert!(parse_strict(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn keeps_digits_and_order() {
        let value = parse_strict("{\"b\":18446744073709551616,\"a\":[0.1,-1,1E-5],\"c\":{}}").unwrap();
        assert_eq!(
            super::super::compact(&value).unwrap(),
            "{\"b\":18446744073709551616,\"a\":[0.1,-1,1e-05],\"c\":{}}"
        );
    }

    #[test]
    fn an_object_that_imitates_the_private_number_key_stays_harmless() {
        assert!(parse_strict("{\"$serde_json::private::Number\":\"x\"}").is_err());
    }
}
