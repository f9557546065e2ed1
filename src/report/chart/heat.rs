//! A field of values, rows by columns; a place without a value is hatched and says why in its tooltip.
//!
//! Columns: `row_name`, `row_anchor` (a place of the page, or null), `column_name`, `share` (0 worst, 1 best), `value_text`,
//! `reason`.

use super::labels::shortened;
use super::svg::Svg;
use super::{Mark, Words};
use minijinja::Error;
use std::collections::BTreeMap;

const LEFT: f64 = 214.0;
const TOP: f64 = 104.0;
const CELL: [f64; 2] = [54.0, 22.0];
/// Steps of colour between the worst and the best.
const STEPS: f64 = 6.0;

/// Draws rows and columns in the order they first come.
pub fn draw(rows: &[Mark], words: &Words) -> Result<String, Error> {
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut columns: Vec<String> = Vec::new();
    let mut known_lines: BTreeMap<String, usize> = BTreeMap::new();
    let mut known_columns: BTreeMap<String, usize> = BTreeMap::new();
    let mut cells = Vec::new();
    for row in rows {
        let (name, column) = (row.text("row_name")?, row.text("column_name")?);
        let anchor = row.text("row_anchor")?;
        let line = *known_lines.entry(name.clone()).or_insert(lines.len());
        if line == lines.len() {
            lines.push((name, anchor));
        }
        let place = *known_columns.entry(column.clone()).or_insert(columns.len());
        if place == columns.len() {
            columns.push(column);
        }
        cells.push((line, place, row));
    }
    let width = LEFT + CELL[0] * columns.len() as f64 + 110.0;
    let mut svg = Svg::group(words, width, TOP + CELL[1] * lines.len() as f64 + 8.0);
    for (index, column) in columns.iter().enumerate() {
        let x = LEFT + CELL[0] * index as f64 + CELL[0] / 2.0;
        svg.rising_text("label", [x, TOP - 8.0], &shortened(column, 22));
    }
    for (index, (name, anchor)) in lines.iter().enumerate() {
        let y = TOP + CELL[1] * index as f64 + 15.0;
        if anchor.is_empty() {
            svg.text("label end", [LEFT - 8.0, y], &shortened(name, 23));
        } else {
            svg.open_link(anchor);
            svg.text("label end", [LEFT - 8.0, y], &shortened(name, 23));
            svg.close_link();
        }
    }
    for (line, place, row) in cells {
        let [x, y] = [LEFT + CELL[0] * place as f64, TOP + CELL[1] * line as f64];
        let told = format!("{}, {}: ", lines[line].0, columns[place]);
        let area = [x + 1.0, y + 1.0, CELL[0] - 2.0, CELL[1] - 2.0];
        match row.number("share")? {
            Some(share) => {
                let step = (share.clamp(0.0, 1.0) * STEPS).round();
                let text = row.text("value_text")?;
                svg.rect(&format!("heat heat-{step:.0}"), area, &format!("{told}{text}"));
                svg.text(&format!("cell heat-text-{step:.0}"), [x + CELL[0] / 2.0, y + 15.0], &text);
            }
            None => {
                svg.rect("heat heat-none", area, &format!("{told}{}", row.text("reason")?));
                svg.text("cell", [x + CELL[0] / 2.0, y + 15.0], "-");
            }
        }
    }
    Ok(svg.finish())
}
