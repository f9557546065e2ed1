//! Writing a known shape straight into canonical text, without a value in between.

use super::write::{WriteError, Writer};
use serde_json::{Map, Value};

/// One open object. Whoever fills it gives the keys in sorted order, and compares with [`super::canonical`] in a test.
#[derive(Debug)]
pub struct ObjectWriter<'a> {
    out: &'a mut String,
    writer: Writer,
    /// Containers around this one.
    depth: usize,
    is_empty: bool,
}

/// Writes one object in the form of [`super::canonical`]: `fill` gives its keys in sorted order.
///
/// Fails on a number without a text, and where containers are nested more than `levels` deep.
pub fn canonical_object(
    levels: usize,
    fill: impl FnOnce(&mut ObjectWriter) -> Result<(), WriteError>,
) -> Result<String, WriteError> {
    let mut out = String::new();
    write_object(&mut out, Writer { levels, ..Writer::CANONICAL }, 0, fill)?;
    Ok(out)
}

fn write_object(
    out: &mut String,
    writer: Writer,
    depth: usize,
    fill: impl FnOnce(&mut ObjectWriter) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    writer.check_depth(depth)?;
    out.push('{');
    fill(&mut ObjectWriter { out, writer, depth, is_empty: true })?;
    out.push('}');
    Ok(())
}

impl ObjectWriter<'_> {
    /// Adds a text.
    pub fn text(&mut self, key: &'static str, text: &str) {
        self.key(key);
        self.writer.text(self.out, text);
    }

    /// Adds a text or null.
    pub fn text_or_null(&mut self, key: &'static str, text: Option<&str>) {
        match text {
            Some(text) => self.text(key, text),
            None => self.null(key),
        }
    }

    /// Adds an integer.
    pub fn integer(&mut self, key: &'static str, number: u64) {
        self.key(key);
        self.out.push_str(&number.to_string());
    }

    /// Adds a switch.
    pub fn boolean(&mut self, key: &'static str, is_set: bool) {
        self.key(key);
        self.out.push_str(if is_set { "true" } else { "false" });
    }

    /// Adds null.
    pub fn null(&mut self, key: &'static str) {
        self.key(key);
        self.out.push_str("null");
    }

    /// Adds a list of texts.
    pub fn texts(&mut self, key: &'static str, texts: &[String]) -> Result<(), WriteError> {
        self.list(key, texts, |writer, out, text, _| {
            writer.text(out, text);
            Ok(())
        })
    }

    /// Adds a list of values.
    pub fn values(&mut self, key: &'static str, values: &[Value]) -> Result<(), WriteError> {
        self.list(key, values, |writer, out, value, depth| writer.value(out, value, depth))
    }

    /// Adds a value of any kind.
    pub fn value(&mut self, key: &'static str, value: &Value) -> Result<(), WriteError> {
        self.key(key);
        self.writer.value(self.out, value, self.depth + 1)
    }

    /// Adds a free-form object.
    pub fn map(&mut self, key: &'static str, map: &Map<String, Value>) -> Result<(), WriteError> {
        self.key(key);
        self.writer.object(self.out, map, self.depth + 1)
    }

    /// Adds a free-form object or null.
    pub fn map_or_null(&mut self, key: &'static str, map: Option<&Map<String, Value>>) -> Result<(), WriteError> {
        match map {
            Some(map) => self.map(key, map),
            None => {
                self.null(key);
                Ok(())
            }
        }
    }

    /// Adds an object of a known shape.
    pub fn object(
        &mut self,
        key: &'static str,
        fill: impl FnOnce(&mut ObjectWriter) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.key(key);
        write_object(self.out, self.writer, self.depth + 1, fill)
    }

    fn list<T>(
        &mut self,
        key: &'static str,
        items: &[T],
        write: impl Fn(&Writer, &mut String, &T, usize) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.key(key);
        self.writer.check_depth(self.depth + 1)?;
        self.out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write(&self.writer, self.out, item, self.depth + 2)?;
        }
        self.out.push(']');
        Ok(())
    }

    fn key(&mut self, key: &'static str) {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
        self.writer.text(self.out, key);
        self.out.push(':');
    }
}
