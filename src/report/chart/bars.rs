//! Parts of a whole: a bar for each name, cut into parts.
//!
//! Columns: `name`, `part`, `part_n` (colour), `share` (0..1 of the whole), `share_text`. Rows of one name are neighbours.

use super::labels::shortened;
use super::svg::Svg;
use super::{Mark, Words};
use minijinja::Error;

const LEFT: f64 = 214.0;
const RIGHT: f64 = 700.0;
const WIDTH: f64 = 720.0;
const ROW: f64 = 24.0;
const LEGEND: f64 = 20.0;
/// Highest number of a part that the style has a colour for.
const LAST_PART: i64 = 4;

/// Draws the bars in the order they have, with a legend above.
pub fn draw(rows: &[Mark], words: &Words) -> Result<String, Error> {
    let mut parts: Vec<(String, String)> = Vec::new();
    let mut bars: Vec<(String, Vec<&Mark>)> = Vec::new();
    for row in rows {
        let (name, part) = (row.text("name")?, row.text("part")?);
        if !parts.iter().any(|(known, _)| *known == part) {
            parts.push((part, part_class(row)?));
        }
        match bars.last_mut() {
            Some((known, marks)) if *known == name => marks.push(row),
            _ => bars.push((name, vec![row])),
        }
    }
    let legend_rows = parts.len().div_ceil(3);
    let top = 10.0 + LEGEND * legend_rows as f64;
    let mut svg = Svg::image(words, WIDTH, top + ROW * bars.len() as f64 + 6.0);
    for (index, (part, class)) in parts.iter().enumerate() {
        let [x, y] = [6.0 + 238.0 * (index % 3) as f64, 6.0 + LEGEND * (index / 3) as f64];
        svg.rect(class, [x, y, 12.0, 12.0], "");
        svg.text("label", [x + 18.0, y + 11.0], &shortened(part, 29));
    }
    for (index, (name, marks)) in bars.iter().enumerate() {
        let y = top + ROW * index as f64;
        svg.text("label end", [LEFT - 8.0, y + 15.0], &shortened(name, 23));
        let mut x = LEFT;
        for mark in marks {
            let share = mark.number("share")?.unwrap_or(0.0).clamp(0.0, 1.0);
            let told = format!("{name}, {}: {}", mark.text("part")?, mark.text("share_text")?);
            svg.rect(&part_class(mark)?, [x, y + 3.0, (RIGHT - LEFT) * share, 16.0], &told);
            x += (RIGHT - LEFT) * share;
        }
    }
    Ok(svg.finish())
}

fn part_class(mark: &Mark) -> Result<String, Error> {
    let place = mark.number("part_n")?.unwrap_or(0.0) as i64;
    Ok(format!("part part-{}", place.clamp(0, LAST_PART)))
}
