//! CSV lines as the published files have them.
//!
//! Source: `contract/evaluation.md` section 6.6. Meant for programs; a spreadsheet form that disarms formulas is a
//! separate thing, because these bytes are compared.

/// Joins the fields of one record and ends it with LF.
///
/// A field is quoted only when it holds a comma, a quote or an LF; quotes inside are doubled.
pub fn line<const N: usize>(fields: [String; N]) -> String {
    record(fields.into())
}

/// The same for any number of fields.
pub fn record(fields: Vec<String>) -> String {
    let mut text = fields.into_iter().map(field).collect::<Vec<_>>().join(",");
    text.push('\n');
    text
}

fn field(field: String) -> String {
    if field.contains([',', '"', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn only_commas_quotes_and_line_feeds_are_quoted() {
        let fields = ["a,b", "say \"x\"", "one\ntwo", "tab\tcr\r", " plain ", ""].map(str::to_owned);
        assert_eq!(line(fields), "\"a,b\",\"say \"\"x\"\"\",\"one\ntwo\",tab\tcr\r, plain ,\n");
    }
}
