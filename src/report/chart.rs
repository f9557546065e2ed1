//! Charts as inline SVG, drawn from the rows of statements.
//!
//! Reads rows that templates hand over; returns SVG that shows the texts of the rows to the letter and runs nothing.
//! Geometry is all it computes: where a number lies on a scale. Means, bounds, shares, orders and texts come from SQL, and
//! a value that is missing leaves a gap. Colours are classes that the page's style sheet gives a light and a dark face.

mod bars;
mod heat;
mod labels;
mod lines;
mod marks;
mod ranking;
mod scale;
mod scatter;
mod svg;

use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, Error, ErrorKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Colours there are for series; more series share them and are told apart by their labels.
const SERIES_COLOURS: i64 = 8;

/// Makes the charts known to templates: `NAME_chart(rows, title=..., summary=..., CHART_COLUMN="column of the rows", ...)`.
pub fn add_to(environment: &mut Environment) {
    environment.add_function("ranking_chart", |rows: Value, words: Kwargs| drawn(rows, words, ranking::draw));
    environment.add_function("line_chart", |rows: Value, words: Kwargs| drawn(rows, words, lines::draw));
    environment.add_function("scatter_chart", |rows: Value, words: Kwargs| drawn(rows, words, scatter::draw));
    environment.add_function("heat_chart", |rows: Value, words: Kwargs| drawn(rows, words, heat::draw));
    environment.add_function("bar_chart", |rows: Value, words: Kwargs| drawn(rows, words, bars::draw));
}

/// What a chart says besides its numbers.
#[derive(Default)]
struct Words {
    title: String,
    summary: String,
    x_label: String,
    y_label: String,
}

type Draw = fn(&[Mark], &Words) -> Result<String, Error>;
/// Columns that have another name in the rows than the chart gives them.
type Renamed = Arc<BTreeMap<String, String>>;

fn drawn(rows: Value, given: Kwargs, draw: Draw) -> Result<Value, Error> {
    let word = |name: &str| Ok::<_, Error>(given.get::<Option<String>>(name)?.unwrap_or_default());
    let words = Words {
        title: given.get("title")?,
        summary: given.get("summary")?,
        x_label: word("x_label")?,
        y_label: word("y_label")?,
    };
    let others = given.args().filter(|name| !["title", "summary", "x_label", "y_label"].contains(name));
    let renamed: Renamed =
        Arc::new(others.map(|name| Ok((name.to_owned(), given.get(name)?))).collect::<Result<_, Error>>()?);
    given.assert_all_used()?;
    let marks: Vec<Mark> = rows.try_iter()?.map(|row| Mark { row, renamed: Arc::clone(&renamed) }).collect();
    Ok(Value::from_safe_string(draw(&marks, &words)?))
}

/// One row, read by the names of its columns.
struct Mark {
    row: Value,
    renamed: Renamed,
}

impl Mark {
    fn value(&self, column: &str) -> Result<Value, Error> {
        let column = self.renamed.get(column).map_or(column, String::as_str);
        let value = self.row.get_attr(column)?;
        match value.is_undefined() {
            true => Err(Error::new(ErrorKind::InvalidOperation, format!("a chart needs the column `{column}`"))),
            false => Ok(value),
        }
    }

    /// Text as it is; empty for null.
    fn text(&self, column: &str) -> Result<String, Error> {
        let value = self.value(column)?;
        Ok(if value.is_none() { String::new() } else { value.to_string() })
    }

    /// A finite number; nothing for null.
    fn number(&self, column: &str) -> Result<Option<f64>, Error> {
        let value = self.value(column)?;
        if value.is_none() {
            return Ok(None);
        }
        let number = value.to_string().parse::<f64>().ok().filter(|number| number.is_finite());
        let wrong = || Error::new(ErrorKind::InvalidOperation, format!("the column `{column}` holds no number"));
        number.map(Some).ok_or_else(wrong)
    }

    /// The class that colours a series.
    fn series_class(&self, column: &str) -> Result<String, Error> {
        let place = self.number(column)?.unwrap_or(0.0) as i64;
        Ok(format!("series-{}", place.rem_euclid(SERIES_COLOURS)))
    }
}

#[cfg(test)]
mod tests;
