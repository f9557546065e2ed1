//! Tables for the terminal: aligned columns that fit the width, hostile text made harmless.
//!
//! Reads rows of text; returns text without colour. Cuts on grapheme boundaries with a marker, never inside a
//! character, and shows control characters instead of obeying them.

use comfy_table::{CellAlignment, ContentArrangement, Table as Grid, presets};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How a column lines up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its header.
    pub title: String,
    /// How its values line up.
    pub align: Align,
}

impl Column {
    /// A column of text.
    pub fn left(title: impl Into<String>) -> Self {
        Self { title: title.into(), align: Align::Left }
    }

    /// A column of numbers.
    pub fn right(title: impl Into<String>) -> Self {
        Self { title: title.into(), align: Align::Right }
    }
}

/// Lays out rows in at most `width` terminal columns; `0` takes as much as they need.
///
/// The widest columns give way first; a cell that does not fit is cut and ends in `…`. Lines end without blanks.
pub fn table(columns: &[Column], rows: &[Vec<String>], width: usize) -> String {
    let texts = Texts::clean(columns, rows);
    let widths = fit(texts.natural_widths(), &vec![NARROWEST; columns.len()], width);
    texts.grid(columns, &widths)
}

/// A table that says what it could not show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaidOut {
    /// Its lines.
    pub text: String,
    /// Columns shown, from the left.
    pub shown_n: usize,
    /// Shown columns with a cell that was cut.
    pub cut: Vec<usize>,
}

/// Lays out rows like [`table`], but cuts no number, and leaves out columns on the right before texts become stumps.
pub fn laid_out(columns: &[Column], rows: &[Vec<String>], width: usize) -> LaidOut {
    let texts = Texts::clean(columns, rows);
    let natural = texts.natural_widths();
    let least = |(column, natural): (&Column, &usize)| match column.align {
        Align::Right => *natural,
        Align::Left => (*natural).min(LEGIBLE),
    };
    let least: Vec<usize> = columns.iter().zip(&natural).map(least).collect();
    let mut used = 0;
    let fitting = least.iter().take_while(|least| {
        used += *least + PADDING;
        width == 0 || used <= width
    });
    let shown_n = fitting.count().max(1).min(columns.len());
    let widths = fit(natural[..shown_n].to_vec(), &least[..shown_n], width);
    let cut = (0..shown_n).filter(|index| widths[*index] < natural[*index]).collect();
    LaidOut { text: texts.grid(&columns[..shown_n], &widths), shown_n, cut }
}

/// Titles and cells without anything that a terminal would obey.
struct Texts {
    titles: Vec<String>,
    cells: Vec<Vec<String>>,
}

impl Texts {
    fn clean(columns: &[Column], rows: &[Vec<String>]) -> Self {
        Self {
            titles: columns.iter().map(|column| clean(&column.title)).collect(),
            cells: rows.iter().map(|row| row.iter().map(|text| clean(text)).collect()).collect(),
        }
    }

    fn natural_widths(&self) -> Vec<usize> {
        let widest = |index: usize| {
            let texts = self.cells.iter().filter_map(|row| row.get(index)).chain(self.titles.get(index));
            texts.map(|text| text.width()).max().unwrap_or(0)
        };
        (0..self.titles.len()).map(widest).collect()
    }

    fn grid(&self, columns: &[Column], widths: &[usize]) -> String {
        let cut_row =
            |row: &[String]| -> Vec<String> { row.iter().zip(widths).map(|(text, width)| cut(text, *width)).collect() };
        let mut grid = Grid::new();
        grid.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        grid.set_header(cut_row(&self.titles));
        grid.add_rows(self.cells.iter().map(|row| cut_row(row)));
        for (index, column) in columns.iter().enumerate() {
            if let Some(laid_out) = grid.column_mut(index) {
                laid_out.set_cell_alignment(match column.align {
                    Align::Left => CellAlignment::Left,
                    Align::Right => CellAlignment::Right,
                });
            }
        }
        grid.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }
}

/// Blanks that a column takes besides its text.
const PADDING: usize = 2;
/// No column is cut below this.
const NARROWEST: usize = 4;

/// The least that is shown of a text before its column is left out.
const LEGIBLE: usize = 12;

/// Takes from the widest columns until the total fits, from none more than its least.
fn fit(mut widths: Vec<usize>, least: &[usize], total: usize) -> Vec<usize> {
    let room = total.saturating_sub(PADDING * widths.len());
    while total > 0 && widths.iter().sum::<usize>() > room {
        let can_give = widths.iter().enumerate().filter(|(index, width)| **width > least[*index].max(1));
        let Some((widest, _)) = can_give.max_by_key(|(_, width)| **width) else { break };
        widths[widest] -= 1;
    }
    widths
}

/// Cuts text to `width` terminal columns on a grapheme boundary; what was cut ends in `…`.
pub fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for grapheme in text.graphemes(true) {
        if kept.width() + grapheme.width() + 1 > width {
            break;
        }
        kept.push_str(grapheme);
    }
    kept + "…"
}

/// Makes text safe to show in one line: control and direction characters become visible, line ends become blanks.
pub fn clean(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' | '\u{2028}' | '\u{2029}' => shown.push(' '),
            '\r' => {}
            // Control pictures stand at the same distance from their block as the characters from zero.
            '\0'..='\u{1f}' => shown.push(char::from_u32(0x2400 + u32::from(character)).unwrap_or('?')),
            '\u{7f}' => shown.push('\u{2421}'),
            '\u{80}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                shown.push('\u{fffd}');
            }
            other => shown.push(other),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_never_splits_what_a_reader_sees_as_one_character() {
        let family = "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}";
        for (text, width, expected) in [
            ("plain", 5, "plain".to_owned()),
            ("plain text", 6, "plain…".to_owned()),
            (&format!("{}🔎", "x".repeat(59)), 60, format!("{}…", "x".repeat(59))),
            ("cafe\u{301} au lait", 5, "cafe\u{301}…".to_owned()),
            (&format!("ab{family}cd"), 4, "ab…".to_owned()),
            ("日本語", 4, "日…".to_owned()),
        ] {
            let found = cut(text, width);
            assert_eq!(found, expected);
            assert!(found.width() <= width, "{found}");
        }
    }

    #[test]
    fn a_table_fits_its_width_and_shows_escapes_instead_of_obeying_them() {
        let columns = [Column::left("answer"), Column::right("n")];
        let rows = [
            vec!["\u{1b}[31mred\u{1b}[0m\nand a good deal longer than fits".to_owned(), "7".to_owned()],
            vec!["日本語".to_owned(), "1234".to_owned()],
        ];
        let text = table(&columns, &rows, 30);
        assert!(text.lines().all(|line| line.width() <= 30), "{text}");
        assert!(!text.contains('\u{1b}') && text.contains("␛[31mred␛[0m and"), "{text}");
        assert_eq!(text.lines().count(), 3);
    }
}
