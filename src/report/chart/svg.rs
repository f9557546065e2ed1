//! SVG as text: elements with escaped attributes and contents, and coordinates with one decimal.

use super::Words;
use crate::report::escape;
use std::fmt::Write;

/// A growing picture.
pub struct Svg {
    text: String,
}

impl Svg {
    /// Begins a picture of one meaning: screen readers hear its title and summary, and the numbers from the table below it.
    pub fn image(words: &Words, width: f64, height: f64) -> Self {
        Self::begin(words, "img", width, height)
    }

    /// Begins a picture whose parts can be reached one by one, because some are links.
    pub fn group(words: &Words, width: f64, height: f64) -> Self {
        Self::begin(words, "group", width, height)
    }

    fn begin(words: &Words, role: &str, width: f64, height: f64) -> Self {
        let label = escape::html(&format!("{}. {}", words.title, words.summary));
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"{role}\" aria-label=\"{label}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">\n"
        );
        Self { text }
    }

    /// A rectangle; one without extent is left out.
    pub fn rect(&mut self, class: &str, [x, y, width, height]: [f64; 4], told: &str) {
        if width > 0.0 && height > 0.0 {
            let _ = write!(
                self.text,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\""
            );
            self.end(told, "rect");
        }
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let _ = writeln!(
            self.text,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
    }

    /// A line through points; a single point is left out, because its mark shows it.
    pub fn polyline(&mut self, class: &str, points: &[[f64; 2]]) {
        if points.len() > 1 {
            let text: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
            let _ = writeln!(self.text, "<polyline class=\"{class}\" points=\"{}\"/>", text.join(" "));
        }
    }

    /// A shape, closed.
    pub fn polygon(&mut self, class: &str, points: &[[f64; 2]], told: &str) {
        let text: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = write!(self.text, "<polygon class=\"{class}\" points=\"{}\"", text.join(" "));
        self.end(told, "polygon");
    }

    /// A circle.
    pub fn circle(&mut self, class: &str, [x, y]: [f64; 2], radius: f64, told: &str) {
        let _ = write!(self.text, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"");
        self.end(told, "circle");
    }

    /// Text whose baseline begins, or ends with the class `end`, or is centred with `middle`, at a point.
    pub fn text(&mut self, class: &str, [x, y]: [f64; 2], content: &str) {
        let content = escape::html(content);
        let _ = writeln!(self.text, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{content}</text>");
    }

    /// Text that rises to the right from a point.
    pub fn rising_text(&mut self, class: &str, [x, y]: [f64; 2], content: &str) {
        let content = escape::html(content);
        let _ = writeln!(
            self.text,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" transform=\"rotate(-35 {x:.1} {y:.1})\">{content}</text>"
        );
    }

    /// Opens a link to a place of the page.
    pub fn open_link(&mut self, anchor: &str) {
        let _ = writeln!(self.text, "<a href=\"#{}\">", escape::html(anchor));
    }

    /// Closes it.
    pub fn close_link(&mut self) {
        self.text.push_str("</a>\n");
    }

    /// The whole picture.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>");
        self.text
    }

    /// Ends an element; what it tells becomes its tooltip.
    fn end(&mut self, told: &str, name: &str) {
        let _ = match told {
            "" => writeln!(self.text, "/>"),
            told => writeln!(self.text, "><title>{}</title></{name}>", escape::html(told)),
        };
    }
}
