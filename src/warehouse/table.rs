//! Results of statements as plain rows.
//!
//! Reads Arrow batches that DuckDB returns; writes nothing. Numbers keep their exact value; types without a plain Rust
//! form (timestamps, lists, decimals) become their text.

use super::moment::infinity_of;
use super::{Error, Result};
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, SchemaRef, UInt8Type};
use arrow::datatypes::{UInt16Type, UInt32Type, UInt64Type};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use std::sync::Arc;

/// One value of a result.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Any integer type up to 64 bits.
    Integer(i64),
    /// A double.
    Float(f64),
    /// Text, and whatever has no plain Rust form.
    Text(String),
}

/// A whole result.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Names of the columns, in order.
    pub columns: Arc<Vec<String>>,
    /// The rows, in order of the statement.
    pub rows: Vec<Row>,
    /// Whether rows beyond the limit were left out.
    pub truncated: bool,
}

/// One row of a result.
#[derive(Debug, Clone)]
pub struct Row {
    columns: Arc<Vec<String>>,
    /// The values, in order of the columns.
    pub values: Vec<Value>,
}

impl Row {
    /// Names of the columns, in order of the values.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The value of a column that the statement's header promises.
    pub fn value(&self, column: &str) -> Result<&Value> {
        let found = self.columns.iter().position(|name| name == column);
        found.map(|index| &self.values[index]).ok_or_else(|| wrong(column, "missing", "present"))
    }

    /// Text that is never null.
    pub fn text(&self, column: &str) -> Result<&str> {
        self.text_or_null(column)?.ok_or_else(|| wrong(column, "null", "text"))
    }

    /// Text, or nothing for null.
    pub fn text_or_null(&self, column: &str) -> Result<Option<&str>> {
        match self.value(column)? {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            other => Err(wrong(column, other.kind(), "text")),
        }
    }

    /// An integer that is never null.
    pub fn integer(&self, column: &str) -> Result<i64> {
        self.integer_or_null(column)?.ok_or_else(|| wrong(column, "null", "an integer"))
    }

    /// An integer, or nothing for null.
    pub fn integer_or_null(&self, column: &str) -> Result<Option<i64>> {
        match self.value(column)? {
            Value::Null => Ok(None),
            Value::Integer(number) => Ok(Some(*number)),
            other => Err(wrong(column, other.kind(), "an integer")),
        }
    }

    /// A double, or nothing for null.
    pub fn float_or_null(&self, column: &str) -> Result<Option<f64>> {
        match self.value(column)? {
            Value::Null => Ok(None),
            Value::Float(number) => Ok(Some(*number)),
            other => Err(wrong(column, other.kind(), "a double")),
        }
    }
}

impl Value {
    fn text_bytes(&self) -> usize {
        if let Value::Text(text) = self { text.len() } else { 0 }
    }

    fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Integer(_) => "an integer",
            Value::Float(_) => "a double",
            Value::Text(_) => "text",
        }
    }
}

impl std::fmt::Display for Value {
    /// Null is `-`, as in every table people see.
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Value::Null => formatter.write_str("-"),
            Value::Bool(flag) => write!(formatter, "{flag}"),
            Value::Integer(number) => write!(formatter, "{number}"),
            Value::Float(number) => formatter.write_str(&crate::json::float_text(*number)),
            Value::Text(text) => formatter.write_str(text),
        }
    }
}

fn wrong(column: &str, found: &str, expected: &'static str) -> Error {
    Error::Column { column: column.to_owned(), found: found.to_owned(), expected }
}

/// How much of a result is kept.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Characters of one text; what is longer is cut there.
    pub value_characters: usize,
    /// Bytes of all texts together; the row that goes beyond ends the table, and the table says so.
    pub bytes: usize,
}

impl Room {
    /// Room for everything.
    pub const ENDLESS: Self = Self { value_characters: usize::MAX, bytes: usize::MAX };
}

/// Collects Arrow batches into a table, as much as there is room for.
pub(super) fn collect(
    schema: &SchemaRef,
    batches: impl Iterator<Item = RecordBatch>,
    room: Room,
) -> Result<Table, arrow::error::ArrowError> {
    let columns: Arc<Vec<String>> = Arc::new(schema.fields().iter().map(|field| field.name().clone()).collect());
    let mut table = Table { columns: columns.clone(), ..Table::default() };
    let mut bytes = 0;
    for batch in batches {
        let read = batch.columns().iter().map(|array| column(array, room.value_characters));
        let read: Vec<Vec<Value>> = read.collect::<Result<_, _>>()?;
        let mut iterators: Vec<_> = read.into_iter().map(Vec::into_iter).collect();
        for _ in 0..batch.num_rows() {
            let values: Vec<Value> = iterators.iter_mut().filter_map(Iterator::next).collect();
            bytes += values.iter().map(Value::text_bytes).sum::<usize>();
            if bytes > room.bytes {
                table.truncated = true;
                return Ok(table);
            }
            table.rows.push(Row { columns: columns.clone(), values });
        }
    }
    Ok(table)
}

fn column(array: &dyn Array, characters: usize) -> Result<Vec<Value>, arrow::error::ArrowError> {
    macro_rules! integers {
        ($kind:ty) => {
            read(array, |index| Value::Integer(array.as_primitive::<$kind>().value(index).into()))
        };
    }
    Ok(match array.data_type() {
        DataType::Boolean => read(array, |index| Value::Bool(array.as_boolean().value(index))),
        DataType::Int8 => integers!(Int8Type),
        DataType::Int16 => integers!(Int16Type),
        DataType::Int32 => integers!(Int32Type),
        DataType::Int64 => integers!(Int64Type),
        DataType::UInt8 => integers!(UInt8Type),
        DataType::UInt16 => integers!(UInt16Type),
        DataType::UInt32 => integers!(UInt32Type),
        DataType::UInt64 => read(array, |index| {
            let number = array.as_primitive::<UInt64Type>().value(index);
            i64::try_from(number).map_or_else(|_| Value::Text(number.to_string()), Value::Integer)
        }),
        DataType::Float64 => read(array, |index| Value::Float(array.as_primitive::<Float64Type>().value(index))),
        DataType::Utf8 => {
            read(array, |index| Value::Text(beginning(array.as_string::<i32>().value(index), characters)))
        }
        _ => {
            let options = FormatOptions::default().with_null("null");
            let formatter = ArrayFormatter::try_new(array, &options)?;
            let text = |index| match infinity_of(array, index) {
                _ if array.is_null(index) => Ok(Value::Null),
                Some(word) => Ok(Value::Text(word.to_owned())),
                None => Ok(Value::Text(beginning(&formatter.value(index).try_to_string()?, characters))),
            };
            (0..array.len()).map(text).collect::<Result<_, arrow::error::ArrowError>>()?
        }
    })
}

fn beginning(text: &str, characters: usize) -> String {
    let end = if text.len() <= characters { None } else { text.char_indices().nth(characters) };
    end.map_or(text, |(end, _)| &text[..end]).to_owned()
}

fn read(array: &dyn Array, value: impl Fn(usize) -> Value) -> Vec<Value> {
    (0..array.len()).map(|index| if array.is_null(index) { Value::Null } else { value(index) }).collect()
}
