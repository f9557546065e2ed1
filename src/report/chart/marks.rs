//! Marks of series: four shapes, so that colour is never the only difference. With the eight colours of the style, 32 series
//! look different.

use super::SERIES_COLOURS;
use super::svg::Svg;

/// Draws the mark of a series at a point; `told` is its tooltip.
pub fn draw(svg: &mut Svg, series: i64, class: &str, [x, y]: [f64; 2], told: &str) {
    let size = 4.5;
    let ring = |corners: &[(f64, f64)]| -> Vec<[f64; 2]> {
        corners.iter().map(|(right, down)| [x + right * size, y + down * size]).collect()
    };
    // The colours begin again with the ninth series, so its shape must be another.
    let corners: &[(f64, f64)] = match (series + series.div_euclid(SERIES_COLOURS)).rem_euclid(4) {
        0 => return svg.circle(&format!("mark {class}"), [x, y], size, told),
        1 => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
        2 => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        _ => &[(0.0, -1.2), (1.2, 0.9), (-1.2, 0.9)],
    };
    svg.polygon(&format!("mark {class}"), &ring(corners), told);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::chart::Words;

    #[test]
    fn series_of_one_colour_have_different_shapes() {
        let drawn = |series: i64| {
            let text = String::new;
            let words = Words { title: text(), summary: text(), x_label: text(), y_label: text() };
            let mut svg = Svg::image(&words, 10.0, 10.0);
            draw(&mut svg, series, "series-0", [5.0, 5.0], "");
            svg.finish()
        };
        let shapes: std::collections::BTreeSet<String> = [0, 8, 16, 24].map(drawn).into();
        assert_eq!(shapes.len(), 4);
    }
}
