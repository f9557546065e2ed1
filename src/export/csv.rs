//! CSV with the quotes of RFC 4180, made for spreadsheets unless it was asked for raw.
//!
//! Lines end with a line feed alone, as other files of this program do, where the RFC has a carriage return before it; every
//! reader of CSV takes both.
//! A null is an empty field, an empty text is `""`. Lists and structures are JSON. In the spreadsheet form a text that a
//! spreadsheet would run as a formula begins with an apostrophe, and one that is longer than a cell holds is cut with a
//! mark; numbers stay numbers. The raw form has every text as it is.

use super::value::text;
use super::{Result, Sink, Written};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use std::io::Write;

/// Characters that a spreadsheet cell holds, in UTF-16 code units.
const CELL_UNITS: usize = 32_767;

/// Writes a header, then a record a row.
pub struct CsvSink<'a> {
    out: Box<dyn Write + Send + 'a>,
    is_raw: bool,
    rows_n: u64,
    disarmed_n: u64,
    cut_n: u64,
    not_finite_n: u64,
}

impl<'a> CsvSink<'a> {
    /// Writes the header.
    pub fn begin(out: Box<dyn Write + Send + 'a>, schema: &SchemaRef, is_raw: bool) -> Result<Self> {
        let mut sink = Self { out, is_raw, rows_n: 0, disarmed_n: 0, cut_n: 0, not_finite_n: 0 };
        let names = schema.fields().iter().map(|field| Some(field.name().clone()));
        let names: Vec<Option<String>> = names.map(|name| sink.safe(name)).collect();
        sink.disarmed_n = 0;
        sink.record(&names)?;
        Ok(sink)
    }

    fn record(&mut self, fields: &[Option<String>]) -> Result<()> {
        let mut line = String::new();
        for (index, field) in fields.iter().enumerate() {
            if index > 0 {
                line.push(',');
            }
            if let Some(text) = field {
                push_field(text, &mut line);
            }
        }
        line.push('\n');
        Ok(self.out.write_all(line.as_bytes())?)
    }

    /// A text that a spreadsheet shows and does not run.
    fn safe(&mut self, text: Option<String>) -> Option<String> {
        let mut text = text?;
        if self.is_raw {
            return Some(text);
        }
        if starts_a_formula(&text) {
            self.disarmed_n += 1;
            text.insert(0, '\'');
        }
        let units = text.chars().map(char::len_utf16).sum::<usize>();
        if units > CELL_UNITS {
            self.cut_n += 1;
            text = cut(&text, units);
        }
        Some(text)
    }
}

impl Sink for CsvSink<'_> {
    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let columns = batch.columns();
        for row in 0..batch.num_rows() {
            let mut fields = Vec::with_capacity(columns.len());
            for column in columns {
                let field = text(column, row, &mut self.not_finite_n)?;
                fields.push(if column.data_type().is_numeric() { field } else { self.safe(field) });
            }
            self.record(&fields)?;
            self.rows_n += 1;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, is_truncated: bool) -> Result<Written> {
        self.out.flush()?;
        let mut written = Written::of(self.rows_n, is_truncated).without(self.not_finite_n);
        if self.disarmed_n > 0 {
            written.notes.push(format!(
                "{} texts that a spreadsheet would run as formulas begin with an apostrophe; --raw leaves them as they are",
                self.disarmed_n
            ));
        }
        if self.cut_n > 0 {
            written.notes.push(format!(
                "{} texts are longer than the {CELL_UNITS} characters of a spreadsheet cell and end in a mark that says how \
                 much is missing; --raw keeps them whole",
                self.cut_n
            ));
        }
        Ok(written)
    }
}

/// Whether a spreadsheet would take a text for a formula: by its first character that is no blank, or by a first tab or
/// carriage return, which some skip.
fn starts_a_formula(text: &str) -> bool {
    let first = text.trim_start_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
    text.starts_with(['\t', '\r'])
        || first.starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'])
}

/// Cuts to what a cell holds, with a mark that counts what is missing.
fn cut(text: &str, units: usize) -> String {
    let mark = format!(" … [cut: {units} characters in all]");
    let room = CELL_UNITS - mark.chars().map(char::len_utf16).sum::<usize>();
    let mut kept = String::new();
    let mut used = 0;
    for grapheme in unicode_segmentation::UnicodeSegmentation::graphemes(text, true) {
        used += grapheme.chars().map(char::len_utf16).sum::<usize>();
        if used > room {
            break;
        }
        kept.push_str(grapheme);
    }
    kept + &mark
}

fn push_field(text: &str, line: &mut String) {
    let is_plain = !text.is_empty() && !text.contains([',', '"', '\n', '\r']) && text.trim() == text;
    if is_plain {
        line.push_str(text);
        return;
    }
    line.push('"');
    line.push_str(&text.replace('"', "\"\""));
    line.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{ArrayRef, Float64Array, StringArray};
    use std::sync::Arc;

    fn written(texts: Vec<Option<&str>>, is_raw: bool) -> (String, Written) {
        let numbers: ArrayRef = Arc::new(Float64Array::from(vec![-0.25; texts.len()]));
        let texts: ArrayRef = Arc::new(StringArray::from(texts));
        let batch = RecordBatch::try_from_iter([("answer", texts), ("delta", numbers)]).unwrap();
        let mut bytes = Vec::new();
        let mut sink = Box::new(CsvSink::begin(Box::new(&mut bytes), &batch.schema(), is_raw).unwrap());
        sink.add(&batch).unwrap();
        let done = (sink as Box<dyn Sink>).finish(false).unwrap();
        (String::from_utf8(bytes).unwrap(), done)
    }

    const HOSTILE: [&str; 9] =
        ["=1+1", "+49 30 1", "-3 degrees outside", "@all", "\t=2", " =3", "\u{ff1d}4", "\r=5", "-0.25"];

    #[test]
    fn formulas_are_disarmed_and_numbers_stay_numbers() {
        let (text, done) = written(HOSTILE.map(Some).into(), false);
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        for (record, hostile) in reader.records().map(Result::unwrap).zip(HOSTILE) {
            assert_eq!((&record[0], &record[1]), (format!("'{hostile}").as_str(), "-0.25"));
        }
        assert!(done.notes[0].starts_with("9 texts"), "{:?}", done.notes);
    }

    #[test]
    fn raw_texts_come_back_to_the_letter_and_null_is_not_empty() {
        let quoted = "He said \"noon\",\r\nthen left; it's fine";
        let (text, done) = written(vec![Some(quoted), Some("=1+1"), Some(" x "), None, Some("")], true);
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let found: Vec<String> = reader.records().map(|record| record.unwrap()[0].to_owned()).collect();
        assert_eq!(found, [quoted, "=1+1", " x ", "", ""]);
        assert!(text.ends_with("\n,-0.25\n\"\",-0.25\n"), "{text}");
        assert_eq!(done, Written { rows_n: 5, notes: Vec::new() });
    }

    #[test]
    fn a_text_longer_than_a_cell_is_cut_with_a_mark_and_told() {
        let long = "x".repeat(40_000);
        let (text, done) = written(vec![Some(&long)], false);
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let field = reader.records().next().unwrap().unwrap()[0].to_owned();
        assert!(field.encode_utf16().count() <= CELL_UNITS && field.ends_with("… [cut: 40000 characters in all]"));
        assert!(done.notes[0].starts_with("1 texts are longer"), "{:?}", done.notes);
        assert!(written(vec![Some(&long)], true).0.contains(&long));
    }
}
