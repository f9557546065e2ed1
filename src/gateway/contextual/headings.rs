//! The headings of a Markdown document and the path of them above a place.
//!
//! Knows lines that begin with one to six `#`; lines inside code fences are no headings. Pure.

/// A heading where it stands.
pub struct Heading {
    /// Byte position of its line.
    byte: usize,
    level: usize,
    title: String,
}

/// All headings of a text in order.
pub fn headings(text: &str) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut byte = 0;
    let mut fenced = false;
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        if content.starts_with("```") || content.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced {
            found.extend(heading(byte, content));
        }
        byte += line.len();
    }
    found
}

fn heading(byte: usize, content: &str) -> Option<Heading> {
    let level = content.bytes().take_while(|mark| *mark == b'#').count();
    let title = content[level..].strip_prefix(' ')?.trim().trim_end_matches('#').trim();
    ((1..=6).contains(&level) && !title.is_empty()).then(|| Heading { byte, level, title: title.to_owned() })
}

/// The titles above a byte position, outermost first; a heading on that very place is the last of them.
pub fn path(headings: &[Heading], byte: usize) -> Vec<String> {
    let mut open: Vec<&Heading> = Vec::new();
    for heading in headings.iter().take_while(|heading| heading.byte <= byte) {
        open.retain(|other| other.level < heading.level);
        open.push(heading);
    }
    open.into_iter().map(|heading| heading.title.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_follows_the_levels() {
        let text = "# Boat\n\nA.\n\n## Hull ##\n\nB.\n```\n# no heading\n```\nC.\n\n### Keel\n\nD.\n\n## Mast\n\nE.\n#no\n";
        let headings = headings(text);
        let above = |word: &str| path(&headings, text.find(word).unwrap()).join(" > ");
        assert_eq!(above("A."), "Boat");
        assert_eq!(above("C."), "Boat > Hull");
        assert_eq!(above("D."), "Boat > Hull > Keel");
        assert_eq!(above("E."), "Boat > Mast");
        assert_eq!(above("## Mast"), "Boat > Mast");
        assert!(path(&headings[1..], 0).is_empty());
    }
}
