//! Two measures against each other: a mark for each name that has both.
//!
//! Columns: `name`, `series_n`, `x`, `x_text`, `y`, `y_text`.

use super::labels::{shortened, spread};
use super::scale::{Scale, padded, range};
use super::svg::Svg;
use super::{Mark, Words, marks};
use minijinja::Error;

const WIDTH: f64 = 720.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 510.0;
const TOP: f64 = 26.0;
const LABEL: f64 = 15.0;

/// Draws the rows that have both values.
pub fn draw(rows: &[Mark], words: &Words) -> Result<String, Error> {
    let mut points = Vec::new();
    for row in rows {
        if let (Some(x), Some(y)) = (row.number("x")?, row.number("y")?) {
            points.push((row, x, y));
        }
    }
    let bottom = TOP + (LABEL * points.len() as f64).max(200.0);
    let mut svg = Svg::image(words, WIDTH, bottom + 44.0);
    let x_range = range(points.iter().map(|(_, x, _)| *x)).unwrap_or([0.0, 1.0]);
    let y_range = range(points.iter().map(|(_, _, y)| *y)).unwrap_or([0.0, 1.0]);
    let x_scale = Scale::spanning(x_range, [LEFT, RIGHT - 16.0]);
    let y_scale = Scale::linear(padded(y_range), [bottom, TOP]);
    for (text, x) in x_scale.ticks() {
        svg.line("grid", [x, TOP], [x, bottom]);
        svg.text("tick middle", [x, bottom + 16.0], &text);
    }
    for (text, y) in y_scale.ticks() {
        svg.line("grid", [LEFT, y], [RIGHT, y]);
        svg.text("tick end", [LEFT - 6.0, y + 4.0], &text);
    }
    svg.text("tick", [6.0, TOP - 12.0], &words.y_label);
    svg.text("tick end", [RIGHT, bottom + 34.0], &words.x_label);
    let wanted: Vec<f64> = points.iter().map(|(_, _, y)| y_scale.place(*y)).collect();
    let places = spread(&wanted, [TOP + 4.0, bottom], LABEL);
    for ((row, x, y), place) in points.iter().zip(places) {
        let at = [x_scale.place(*x), y_scale.place(*y)];
        svg.line("leader", [at[0] + 6.0, at[1]], [RIGHT + 8.0, place]);
        let name = row.text("name")?;
        let told = format!("{name}: {}, {}", row.text("y_text")?, row.text("x_text")?);
        let number = row.number("series_n")?.unwrap_or(0.0) as i64;
        marks::draw(&mut svg, number, &row.series_class("series_n")?, at, &told);
        marks::draw(&mut svg, number, &row.series_class("series_n")?, [RIGHT + 16.0, place], "");
        svg.text("label", [RIGHT + 26.0, place + 4.0], &shortened(&name, 21));
    }
    Ok(svg.finish())
}
