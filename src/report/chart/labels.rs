//! Labels that do not lie on each other, and names cut to the room there is.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Places for labels, as near to where they belong as they can be without lying closer than `distance`.
///
/// They keep their order; when they do not fit between the ends, they run over the lower one.
pub fn spread(wanted: &[f64], [top, bottom]: [f64; 2], distance: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|one, other| wanted[*one].total_cmp(&wanted[*other]).then(one.cmp(other)));
    let mut places = wanted.to_vec();
    let mut lowest = top;
    for index in &order {
        places[*index] = places[*index].max(lowest);
        lowest = places[*index] + distance;
    }
    // What ran over the end is pushed back up, as far as the top allows.
    let mut highest = bottom;
    for index in order.iter().rev() {
        places[*index] = places[*index].min(highest);
        highest = places[*index] - distance;
    }
    let mut lowest = top;
    for index in &order {
        places[*index] = places[*index].max(lowest);
        lowest = places[*index] + distance;
    }
    places
}

/// A name as far as it fits in `width` columns of text; cut between characters as people see them.
pub fn shortened(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let mut cut = String::new();
    for character in name.graphemes(true) {
        if cut.width() + character.width() + 1 > width || cut.len() > 8 * width {
            break;
        }
        cut.push_str(character);
    }
    cut.push('\u{2026}');
    cut
}
