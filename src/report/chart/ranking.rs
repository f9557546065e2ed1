//! Ranking: a bar for each mean, whiskers for what missing scores could change, a thin band for coverage, brackets for ties.
//!
//! Columns: `approach`, `rank_text`, `mean`, `lower_bound`, `upper_bound`, `low`, `high`, `coverage` (0..1), `value_text`,
//! `coverage_text`, `tie_n` (equal for neighbours that share a settled rank, null for others), `series_n`.

use super::labels::shortened;
use super::scale::Scale;
use super::svg::Svg;
use super::{Mark, Words};
use minijinja::Error;

const LEFT: f64 = 236.0;
const RIGHT: f64 = 500.0;
const WIDTH: f64 = 780.0;
const ROW: f64 = 30.0;
const TOP: f64 = 8.0;

/// Draws the rows in the order they have.
pub fn draw(rows: &[Mark], words: &Words) -> Result<String, Error> {
    let height = TOP + ROW * rows.len() as f64 + 26.0;
    let mut svg = Svg::image(words, WIDTH, height);
    let domain = domain(rows)?;
    let scale = Scale::linear(domain, [LEFT, RIGHT]);
    let bottom = TOP + ROW * rows.len() as f64;
    for (text, x) in scale.ticks() {
        svg.line("grid", [x, TOP], [x, bottom]);
        svg.text("tick middle", [x, bottom + 16.0], &text);
    }
    for (index, row) in rows.iter().enumerate() {
        let y = TOP + ROW * index as f64;
        one(&mut svg, row, &scale, domain[0].max(0.0), y)?;
    }
    brackets(&mut svg, rows)?;
    Ok(svg.finish())
}

/// One row; its bar begins at 0, or at the least value of a metric that is above it.
fn one(svg: &mut Svg, row: &Mark, scale: &Scale, base: f64, y: f64) -> Result<(), Error> {
    let approach = row.text("approach")?;
    let told = format!("{approach}: {}, {}", row.text("value_text")?, row.text("coverage_text")?);
    svg.text("label end strong", [50.0, y + 17.0], &row.text("rank_text")?);
    svg.text("label", [58.0, y + 17.0], &shortened(&approach, 21));
    let start = scale.place(base);
    if let Some(mean) = row.number("mean")? {
        let end = scale.place(mean);
        let class = format!("bar {}", row.series_class("series_n")?);
        svg.rect(&class, [start.min(end), y + 4.0, (end - start).abs().max(1.0), 14.0], &told);
    }
    if let Some(lower) = row.number("lower_bound")? {
        let upper = row.number("upper_bound")?;
        let (from, to) = (scale.place(lower), upper.map_or(RIGHT, |upper| scale.place(upper)));
        if to - from > 0.5 {
            svg.line("whisker", [from, y + 11.0], [to, y + 11.0]);
            svg.line("whisker", [from, y + 6.0], [from, y + 16.0]);
            match upper {
                Some(_) => svg.line("whisker", [to, y + 6.0], [to, y + 16.0]),
                None => {
                    svg.polygon("whisker-end", &[[to, y + 7.0], [to + 6.0, y + 11.0], [to, y + 15.0]], "no upper bound")
                }
            }
        }
    }
    svg.rect("track", [LEFT, y + 21.0, RIGHT - LEFT, 3.0], "");
    let covered = row.number("coverage")?.unwrap_or(0.0).clamp(0.0, 1.0);
    svg.rect("covered", [LEFT, y + 21.0, (RIGHT - LEFT) * covered, 3.0], "");
    svg.text("label strong", [RIGHT + 14.0, y + 14.0], &row.text("value_text")?);
    svg.text("note", [RIGHT + 14.0, y + 26.0], &shortened(&row.text("coverage_text")?, 40));
    Ok(())
}

/// The range of the metric; without an upper limit, that of what is drawn.
fn domain(rows: &[Mark]) -> Result<[f64; 2], Error> {
    let column = |name: &str| rows.iter().map(|row| row.number(name)).collect::<Result<Vec<_>, _>>();
    let lower = column("lower_bound")?;
    // A metric that could be negative but is not needs no room there.
    let is_positive = lower.iter().flatten().all(|bound| *bound >= 0.0);
    let low = column("low")?.into_iter().flatten().reduce(f64::min).unwrap_or(0.0);
    let low = if is_positive { low.max(0.0) } else { low };
    if let Some(high) = column("high")?.into_iter().flatten().reduce(f64::max) {
        return Ok([low, high]);
    }
    let drawn = [column("mean")?, lower, column("upper_bound")?];
    let most = drawn.iter().flatten().flatten().copied().reduce(f64::max).filter(|most| *most > low);
    Ok([low, most.map_or(low + 1.0, |most| low + (most - low) * 1.05)])
}

/// Joins neighbours with the same settled rank.
fn brackets(svg: &mut Svg, rows: &[Mark]) -> Result<(), Error> {
    let ties: Vec<Option<f64>> = rows.iter().map(|row| row.number("tie_n")).collect::<Result<_, _>>()?;
    let mut first = 0;
    for stretch in ties.chunk_by(|one, other| one.is_some() && one == other) {
        if stretch.len() > 1 {
            let (top, bottom) = (TOP + ROW * first as f64 + 8.0, TOP + ROW * (first + stretch.len()) as f64 - 16.0);
            svg.line("bracket", [8.0, top], [8.0, bottom]);
            svg.line("bracket", [8.0, top], [14.0, top]);
            svg.line("bracket", [8.0, bottom], [14.0, bottom]);
        }
        first += stretch.len();
    }
    Ok(())
}
