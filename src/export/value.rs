//! One value of an Arrow array as text or as JSON, with every digit it has.
//!
//! Reads arrays; appends to a string. Nothing is rounded: decimals and wide integers keep their digits, texts their bytes.

use crate::json::{compact, float_text};
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Float32Type, Float64Type};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use std::fmt::Write as _;

/// The text of a value; nothing for null. Lists and structures are JSON.
pub fn text(array: &ArrayRef, index: usize) -> Option<String> {
    if array.is_null(index) {
        return None;
    }
    Some(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(index).to_owned(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(index).to_owned(),
        DataType::Float64 => any_float(array.as_primitive::<Float64Type>().value(index)),
        DataType::Float32 => any_float_of(f64::from(array.as_primitive::<Float32Type>().value(index)), array, index),
        DataType::Dictionary(_, _) => {
            let (values, key) = dictionary(array, index)?;
            return text(&values, key);
        }
        kind if is_nested(kind) => {
            let mut out = String::new();
            json(array, index, &mut out, &mut 0);
            out
        }
        _ => formatted(array, index),
    })
}

/// Appends a value as JSON; what has no JSON number (NaN, infinities) becomes null and is counted.
pub fn json(array: &ArrayRef, index: usize, out: &mut String, not_finite_n: &mut u64) {
    if array.is_null(index) {
        out.push_str("null");
        return;
    }
    match array.data_type() {
        DataType::Boolean => out.push_str(if array.as_boolean().value(index) { "true" } else { "false" }),
        kind if kind.is_integer() => out.push_str(&formatted(array, index)),
        DataType::Decimal128(_, _) | DataType::Decimal256(_, _) => out.push_str(&formatted(array, index)),
        DataType::Float64 => push_float(array.as_primitive::<Float64Type>().value(index), None, out, not_finite_n),
        DataType::Float32 => {
            let value = f64::from(array.as_primitive::<Float32Type>().value(index));
            push_float(value, Some(formatted(array, index)), out, not_finite_n);
        }
        DataType::List(_) => list(&array.as_list::<i32>().value(index), out, not_finite_n),
        DataType::LargeList(_) => list(&array.as_list::<i64>().value(index), out, not_finite_n),
        DataType::FixedSizeList(_, _) => list(&array.as_fixed_size_list().value(index), out, not_finite_n),
        DataType::Struct(fields) => {
            let parts = array.as_struct();
            out.push('{');
            for (position, (field, part)) in fields.iter().zip(parts.columns()).enumerate() {
                push_key(position, field.name(), out);
                json(part, index, out, not_finite_n);
            }
            out.push('}');
        }
        DataType::Map(_, _) => {
            let entries = array.as_map().value(index);
            out.push('{');
            for row in 0..entries.len() {
                push_key(row, &text(entries.column(0), row).unwrap_or_default(), out);
                json(entries.column(1), row, out, not_finite_n);
            }
            out.push('}');
        }
        DataType::Dictionary(_, _) => match dictionary(array, index) {
            Some((values, key)) => json(&values, key, out, not_finite_n),
            None => out.push_str("null"),
        },
        _ => push_text(&text(array, index).unwrap_or_default(), out),
    }
}

/// Whether a column's values are numbers, which line up right and need no quotes.
pub fn is_number(kind: &DataType) -> bool {
    kind.is_numeric()
}

/// Whether a value is made of others.
fn is_nested(kind: &DataType) -> bool {
    kind.is_nested()
}

/// Appends `"key":`, behind a comma unless it is the first.
pub fn push_key(position: usize, key: &str, out: &mut String) {
    if position > 0 {
        out.push(',');
    }
    push_text(key, out);
    out.push(':');
}

fn push_text(text: &str, out: &mut String) {
    // A text always has a JSON text.
    out.push_str(&compact(&serde_json::Value::from(text)).unwrap_or_default());
}

fn list(items: &ArrayRef, out: &mut String, not_finite_n: &mut u64) {
    out.push('[');
    for index in 0..items.len() {
        if index > 0 {
            out.push(',');
        }
        json(items, index, out, not_finite_n);
    }
    out.push(']');
}

fn push_float(value: f64, digits: Option<String>, out: &mut String, not_finite_n: &mut u64) {
    if value.is_finite() {
        out.push_str(&digits.unwrap_or_else(|| float_text(value)));
    } else {
        *not_finite_n += 1;
        out.push_str("null");
    }
}

fn any_float(value: f64) -> String {
    if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "inf".to_owned() } else { "-inf".to_owned() }
    } else {
        float_text(value)
    }
}

/// The digits of a single-precision number, which are fewer than those of the double it widens to.
fn any_float_of(value: f64, array: &ArrayRef, index: usize) -> String {
    if value.is_finite() { formatted(array, index) } else { any_float(value) }
}

fn dictionary(array: &ArrayRef, index: usize) -> Option<(ArrayRef, usize)> {
    let dictionary = array.as_any_dictionary_opt()?;
    let key = dictionary.normalized_keys().get(index).copied()?;
    Some((dictionary.values().clone(), key))
}

/// What Arrow itself writes: digits of integers and decimals, ISO 8601 for times, hexadecimal digits for bytes.
fn formatted(array: &ArrayRef, index: usize) -> String {
    let options = FormatOptions::default();
    let mut out = String::new();
    match ArrayFormatter::try_new(array.as_ref(), &options) {
        Ok(formatter) => {
            let _ = write!(out, "{}", formatter.value(index));
        }
        Err(error) => {
            let _ = write!(out, "({error})");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Decimal128Array, Float64Array, Int64Array, ListBuilder, StringArray, StringBuilder};
    use std::sync::Arc;

    fn shown(array: ArrayRef, index: usize) -> (Option<String>, String, u64) {
        let (mut out, mut not_finite_n) = (String::new(), 0);
        json(&array, index, &mut out, &mut not_finite_n);
        (text(&array, index), out, not_finite_n)
    }

    #[test]
    fn digits_and_characters_are_all_there() {
        let wide = Decimal128Array::from(vec![170141183460469231731687303715884105727]).with_precision_and_scale(38, 0);
        assert_eq!(shown(Arc::new(wide.unwrap()), 0).1, "170141183460469231731687303715884105727");
        assert_eq!(shown(Arc::new(Int64Array::from(vec![9007199254740993])), 0).1, "9007199254740993");
        assert_eq!(shown(Arc::new(StringArray::from(vec!["a\"\u{1f33f}\n"])), 0).1, "\"a\\\"\u{1f33f}\\n\"");
        assert_eq!(shown(Arc::new(Float64Array::from(vec![1e-5])), 0).1, "1e-05");
    }

    #[test]
    fn what_is_no_number_is_null_in_json_and_counted() {
        let floats: ArrayRef = Arc::new(Float64Array::from(vec![Some(f64::NAN), Some(f64::NEG_INFINITY), None]));
        assert_eq!(shown(floats.clone(), 0), (Some("nan".to_owned()), "null".to_owned(), 1));
        assert_eq!(shown(floats.clone(), 1), (Some("-inf".to_owned()), "null".to_owned(), 1));
        assert_eq!(shown(floats, 2), (None, "null".to_owned(), 0));
    }

    #[test]
    fn an_empty_list_is_not_null() {
        let mut lists = ListBuilder::new(StringBuilder::new());
        lists.append(true);
        lists.append(false);
        lists.append_value([Some("a"), None]);
        let lists: ArrayRef = Arc::new(lists.finish());
        assert_eq!(shown(lists.clone(), 0).1, "[]");
        assert_eq!(shown(lists.clone(), 1), (None, "null".to_owned(), 0));
        assert_eq!(shown(lists, 2).0.as_deref(), Some("[\"a\",null]"));
    }
}
