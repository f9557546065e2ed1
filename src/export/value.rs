//! One value of an Arrow array as text or as JSON, with every digit it has.
//!
//! Reads arrays; appends to a string. Nothing is rounded: decimals and wide integers keep their digits, texts their bytes.

use super::{Error, Result};
use crate::json::{compact, float_text};
use crate::warehouse::infinity_of;
use arrow::array::{Array, ArrayRef, AsArray, downcast_dictionary_array};
use arrow::datatypes::{DataType, Decimal128Type, Float32Type, Float64Type};
use arrow::util::display::{ArrayFormatter, FormatOptions};

/// The text of a value; nothing for null. Lists and structures are JSON, and what [`json`] counts there is counted.
///
/// Fails for a moment that no calendar here can write.
pub fn text(array: &ArrayRef, index: usize, not_finite_n: &mut u64) -> Result<Option<String>> {
    if array.is_null(index) {
        return Ok(None);
    }
    Ok(Some(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(index).to_owned(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(index).to_owned(),
        DataType::Float64 => any_float(array.as_primitive::<Float64Type>().value(index)),
        DataType::Float32 => any_float_of(f64::from(array.as_primitive::<Float32Type>().value(index)), array, index)?,
        DataType::Dictionary(_, _) | DataType::Union(_, _) => {
            let Some((values, index)) = held(array, index) else { return Ok(None) };
            return text(&values, index, not_finite_n);
        }
        DataType::Decimal128(_, scale) => decimal(array.as_primitive::<Decimal128Type>().value(index), *scale),
        kind if kind.is_nested() => {
            let mut out = String::new();
            json(array, index, &mut out, not_finite_n)?;
            out
        }
        _ => formatted(array, index)?,
    }))
}

/// Appends a value as JSON; what has no JSON number (NaN, infinities) becomes null and is counted.
///
/// Fails for a moment that no calendar here can write.
pub fn json(array: &ArrayRef, index: usize, out: &mut String, not_finite_n: &mut u64) -> Result<()> {
    if array.is_null(index) {
        out.push_str("null");
        return Ok(());
    }
    match array.data_type() {
        DataType::Boolean => out.push_str(if array.as_boolean().value(index) { "true" } else { "false" }),
        kind if kind.is_integer() => out.push_str(&formatted(array, index)?),
        DataType::Decimal128(_, scale) => {
            out.push_str(&decimal(array.as_primitive::<Decimal128Type>().value(index), *scale));
        }
        DataType::Float64 => push_float(array.as_primitive::<Float64Type>().value(index), None, out, not_finite_n),
        DataType::Float32 => {
            let value = f64::from(array.as_primitive::<Float32Type>().value(index));
            push_float(value, Some(formatted(array, index)?), out, not_finite_n);
        }
        DataType::Utf8 => push_text(array.as_string::<i32>().value(index), out),
        DataType::LargeUtf8 => push_text(array.as_string::<i64>().value(index), out),
        DataType::List(_) => list(&array.as_list::<i32>().value(index), out, not_finite_n)?,
        DataType::LargeList(_) => list(&array.as_list::<i64>().value(index), out, not_finite_n)?,
        DataType::FixedSizeList(_, _) => list(&array.as_fixed_size_list().value(index), out, not_finite_n)?,
        DataType::ListView(_) => list(&array.as_list_view::<i32>().value(index), out, not_finite_n)?,
        DataType::LargeListView(_) => list(&array.as_list_view::<i64>().value(index), out, not_finite_n)?,
        DataType::Struct(fields) => {
            let parts = array.as_struct();
            out.push('{');
            for (position, (field, part)) in fields.iter().zip(parts.columns()).enumerate() {
                push_key(position, field.name(), out);
                json(part, index, out, not_finite_n)?;
            }
            out.push('}');
        }
        DataType::Map(_, _) => {
            let entries = array.as_map().value(index);
            out.push('{');
            for row in 0..entries.len() {
                push_key(row, &text(entries.column(0), row, not_finite_n)?.unwrap_or_default(), out);
                json(entries.column(1), row, out, not_finite_n)?;
            }
            out.push('}');
        }
        DataType::Dictionary(_, _) | DataType::Union(_, _) => match held(array, index) {
            Some((values, index)) => json(&values, index, out, not_finite_n)?,
            None => out.push_str("null"),
        },
        _ => push_text(&formatted(array, index)?, out),
    }
    Ok(())
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

fn list(items: &ArrayRef, out: &mut String, not_finite_n: &mut u64) -> Result<()> {
    out.push('[');
    for index in 0..items.len() {
        if index > 0 {
            out.push(',');
        }
        json(items, index, out, not_finite_n)?;
    }
    out.push(']');
    Ok(())
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

/// Every digit of a decimal. Arrow's own text ends after as many as its precision says, but the engine hands over its 128-bit
/// integers as decimals of 38 digits, and they have up to 39.
fn decimal(value: i128, scale: i8) -> String {
    let Ok(scale) = usize::try_from(scale) else {
        return format!("{value}{}", "0".repeat(usize::from(scale.unsigned_abs())));
    };
    if scale == 0 {
        return value.to_string();
    }
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    format!("{}{whole}.{fraction}", if value < 0 { "-" } else { "" })
}

/// The digits of a single-precision number, which are fewer than those of the double it widens to.
fn any_float_of(value: f64, array: &ArrayRef, index: usize) -> Result<String> {
    if value.is_finite() { formatted(array, index) } else { Ok(any_float(value)) }
}

/// Where a value stands that an array only points to: an entry of a dictionary, or the member of a union. Nothing for null.
fn held(array: &ArrayRef, index: usize) -> Option<(ArrayRef, usize)> {
    if let Some(union) = array.as_union_opt() {
        return Some((union.value(index), 0));
    }
    let array = array.as_ref();
    downcast_dictionary_array!(
        array => Some((array.values().clone(), array.key(index)?)),
        _ => None,
    )
}

/// What Arrow itself writes: digits of integers, ISO 8601 for times, hexadecimal digits for bytes; and `infinity` for the
/// moments after and before all others.
fn formatted(array: &ArrayRef, index: usize) -> Result<String> {
    if let Some(word) = infinity_of(array, index) {
        return Ok(word.to_owned());
    }
    let formatter = ArrayFormatter::try_new(array.as_ref(), &FormatOptions::default())?;
    formatter.value(index).try_to_string().map_err(Error::Value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Decimal128Array, Float64Array, Int64Array, ListBuilder, StringArray, StringBuilder};
    use std::sync::Arc;

    fn shown(array: ArrayRef, index: usize) -> (Option<String>, String, u64) {
        let (mut out, mut not_finite_n) = (String::new(), 0);
        json(&array, index, &mut out, &mut not_finite_n).unwrap();
        (text(&array, index, &mut 0).unwrap(), out, not_finite_n)
    }

    #[test]
    fn digits_and_characters_are_all_there() {
        for (value, scale, digits) in [
            (i128::MAX, 0, "170141183460469231731687303715884105727"),
            (i128::MIN, 0, "-170141183460469231731687303715884105728"),
            (-5, 2, "-0.05"),
            (150, 2, "1.50"),
        ] {
            // The engine's 128-bit integers come as decimals of 38 digits, whatever they hold.
            let array = Decimal128Array::from(vec![value]).with_data_type(DataType::Decimal128(38, scale));
            assert_eq!(shown(Arc::new(array), 0).1, digits);
        }
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

    #[test]
    fn views_of_lists_and_runs_of_equal_values_are_written_too() {
        let views: ArrayRef =
            Arc::new(arrow::array::ListViewArray::from_iter_primitive::<arrow::datatypes::Int32Type, _, _>([Some(
                vec![Some(1), None],
            )]));
        assert_eq!(shown(views, 0), (Some("[1,null]".to_owned()), "[1,null]".to_owned(), 0));
        let runs: arrow::array::RunArray<arrow::datatypes::Int32Type> = ["a", "a", "b"].into_iter().collect();
        assert_eq!(shown(Arc::new(runs), 2), (Some("b".to_owned()), "\"b\"".to_owned(), 0));
    }
}
