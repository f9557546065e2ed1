//! Progression: a line for each series over ordered steps; a step without a value leaves a gap.
//!
//! Columns: `series`, `series_n`, `step_n` (place of the step, from 1), `step_text`, `y`, `y_text`.

use super::labels::{shortened, spread};
use super::scale::{Scale, padded, range};
use super::svg::Svg;
use super::{Mark, Words, marks};
use minijinja::Error;
use std::collections::BTreeMap;

const WIDTH: f64 = 720.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 510.0;
const TOP: f64 = 12.0;
const LABEL: f64 = 15.0;

struct Series {
    name: String,
    class: String,
    number: i64,
    points: BTreeMap<i64, (f64, String)>,
}

/// Draws the series in the order they first come.
pub fn draw(rows: &[Mark], words: &Words) -> Result<String, Error> {
    let mut steps: BTreeMap<i64, String> = BTreeMap::new();
    let mut all: Vec<Series> = Vec::new();
    for row in rows {
        let name = row.text("series")?;
        let step = row.number("step_n")?.unwrap_or(0.0) as i64;
        steps.insert(step, row.text("step_text")?);
        if !all.iter().any(|series| series.name == name) {
            let number = row.number("series_n")?.unwrap_or(0.0) as i64;
            let class = row.series_class("series_n")?;
            all.push(Series { name: name.clone(), class, number, points: BTreeMap::new() });
        }
        let Some(series) = all.iter_mut().find(|series| series.name == name) else { continue };
        if let Some(y) = row.number("y")? {
            series.points.insert(step, (y, row.text("y_text")?));
        }
    }
    let bottom = TOP + (LABEL * all.len() as f64).max(210.0);
    let mut svg = Svg::image(words, WIDTH, bottom + 30.0);
    let values = all.iter().flat_map(|series| series.points.values().map(|(y, _)| *y));
    let y_scale = Scale::linear(padded(range(values).unwrap_or([0.0, 1.0])), [bottom, TOP]);
    for (text, y) in y_scale.ticks() {
        svg.line("grid", [LEFT, y], [RIGHT, y]);
        svg.text("tick end", [LEFT - 6.0, y + 4.0], &text);
    }
    let places: Vec<i64> = steps.keys().copied().collect();
    let ends = [0.0, places.len().saturating_sub(1) as f64];
    let x_scale = Scale::linear(ends, [LEFT + 40.0, RIGHT - 40.0]);
    let x_of = |step: i64| x_scale.place(places.iter().position(|known| *known == step).unwrap_or(0) as f64);
    for (step, text) in &steps {
        svg.line("grid", [x_of(*step), TOP], [x_of(*step), bottom]);
        svg.text("tick middle", [x_of(*step), bottom + 18.0], &shortened(text, 460 / 7 / places.len().max(1)));
    }
    for series in &all {
        lines_of(&mut svg, series, &places, |step, y| [x_of(step), y_scale.place(y)]);
    }
    let ends: Vec<(&Series, [f64; 2])> = all
        .iter()
        .filter_map(|series| {
            let (step, (y, _)) = series.points.last_key_value()?;
            Some((series, [x_of(*step), y_scale.place(*y)]))
        })
        .collect();
    let wanted: Vec<f64> = ends.iter().map(|(_, [_, y])| *y).collect();
    for ((series, [x, y]), place) in ends.iter().zip(spread(&wanted, [TOP + 4.0, bottom], LABEL)) {
        svg.line("leader", [x + 6.0, *y], [RIGHT + 8.0, place]);
        marks::draw(&mut svg, series.number, &series.class, [RIGHT + 16.0, place], "");
        svg.text("label", [RIGHT + 26.0, place + 4.0], &shortened(&series.name, 21));
    }
    Ok(svg.finish())
}

/// One line for each stretch of neighbouring steps with values, and a mark for each value.
fn lines_of(svg: &mut Svg, series: &Series, places: &[i64], at: impl Fn(i64, f64) -> [f64; 2]) {
    let mut stretch = Vec::new();
    for step in places {
        match series.points.get(step) {
            Some((y, _)) => stretch.push(at(*step, *y)),
            None => svg.polyline(&format!("line {}", series.class), &std::mem::take(&mut stretch)),
        }
    }
    svg.polyline(&format!("line {}", series.class), &stretch);
    for (step, (y, text)) in &series.points {
        let told = format!("{}: {text}", series.name);
        marks::draw(svg, series.number, &series.class, at(*step, *y), &told);
    }
}
