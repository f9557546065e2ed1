//! Marks of series: eight shapes, so that colour is never the only difference.

use super::svg::Svg;

/// Draws the mark of a series at a point; `told` is its tooltip.
pub fn draw(svg: &mut Svg, series: i64, class: &str, [x, y]: [f64; 2], told: &str) {
    let size = 4.5;
    let ring = |corners: &[(f64, f64)]| -> Vec<[f64; 2]> {
        corners.iter().map(|(right, down)| [x + right * size, y + down * size]).collect()
    };
    let corners: &[(f64, f64)] = match series.rem_euclid(4) {
        0 => return svg.circle(&format!("mark {class}"), [x, y], size, told),
        1 => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
        2 => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        _ => &[(0.0, -1.2), (1.2, 0.9), (-1.2, 0.9)],
    };
    svg.polygon(&format!("mark {class}"), &ring(corners), told);
}
