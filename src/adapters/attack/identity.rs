//! Kinds of objects and their identifiers.
//!
//! Pure values: an [`AttackId`] that exists is well formed, so names of files and links can be made from it.

use std::fmt;

/// What an object is. The order is that of the identifiers' first letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `C0024`.
    Campaign,
    /// `G0016`; STIX calls it an intrusion set.
    Group,
    /// `M1018`; STIX calls it a course of action.
    Mitigation,
    /// `S0154`: malware or a tool.
    Software,
    /// `T1059` or, as a sub-technique, `T1059.001`.
    Technique,
}

impl Kind {
    /// Every kind, in order.
    pub const ALL: [Kind; 5] = [Kind::Campaign, Kind::Group, Kind::Mitigation, Kind::Software, Kind::Technique];

    /// The word for one object of this kind, in lower case; also the name of its template.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Campaign => "campaign",
            Kind::Group => "group",
            Kind::Mitigation => "mitigation",
            Kind::Software => "software",
            Kind::Technique => "technique",
        }
    }

    /// The folder of this kind on ATT&CK's site.
    pub fn site_folder(self) -> &'static str {
        match self {
            Kind::Campaign => "campaigns",
            Kind::Group => "groups",
            Kind::Mitigation => "mitigations",
            Kind::Software => "software",
            Kind::Technique => "techniques",
        }
    }

    fn letter(self) -> char {
        match self {
            Kind::Campaign => 'C',
            Kind::Group => 'G',
            Kind::Mitigation => 'M',
            Kind::Software => 'S',
            Kind::Technique => 'T',
        }
    }
}

/// A well-formed ATT&CK identifier: a letter and four digits, and for sub-techniques a dot and three more.
///
/// Safe in file names, links and Markdown. Ordered by kind, then number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttackId {
    kind: Kind,
    text: String,
}

impl AttackId {
    /// Checks an identifier; null when it is not one of `kind`.
    pub fn parse(kind: Kind, text: &str) -> Option<Self> {
        let digits = text.strip_prefix(kind.letter())?;
        let (main, sub) = match digits.split_once('.') {
            Some((main, sub)) if kind == Kind::Technique => (main, Some(sub)),
            Some(_) => return None,
            None => (digits, None),
        };
        let is_number = |text: &str, length: usize| text.len() == length && text.bytes().all(|b| b.is_ascii_digit());
        let well_formed = is_number(main, 4) && sub.is_none_or(|sub| is_number(sub, 3));
        well_formed.then(|| Self { kind, text: text.to_owned() })
    }

    /// What it identifies.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The identifier as ATT&CK writes it.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for AttackId {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_exactly_a_letter_and_digits() {
        assert!(AttackId::parse(Kind::Technique, "T1059.001").is_some());
        for (kind, text) in [
            (Kind::Group, "G16"),
            (Kind::Group, "G0016.001"),
            (Kind::Group, "T1059"),
            (Kind::Technique, "T1059.1"),
            (Kind::Technique, "T1059."),
            (Kind::Group, "G00\u{661}6"),
            (Kind::Group, "../G0016"),
            (Kind::Group, ""),
        ] {
            assert!(AttackId::parse(kind, text).is_none(), "{text}");
        }
    }
}
