//! Which rows a file holds, and where. In memory only.

use super::place::Place;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A row id: 32 bytes when it is 64 lower-case hex digits, the text otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Digest([u8; 32]),
    Text(Box<str>),
}

impl Key {
    pub(crate) fn new(row_id: &str) -> Self {
        digest(row_id.as_bytes()).map_or_else(|| Self::Text(row_id.into()), Self::Digest)
    }

    /// The id as it is written in the row.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Digest(bytes) => super::row::hex(bytes),
            Self::Text(text) => text.to_string(),
        }
    }
}

/// Decodes 64 lower-case hex digits. Capitals are a different text, hence a different row.
fn digest(text: &[u8]) -> Option<[u8; 32]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let text: &[u8; 64] = text.try_into().ok()?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

/// The rows of one file, by id.
#[derive(Debug, Default)]
pub(crate) struct Index {
    places: HashMap<Key, Place>,
}

impl Index {
    /// Remembers a row, or returns where the same id was met before.
    pub(crate) fn insert(&mut self, key: Key, place: Place) -> Result<(), Place> {
        match self.places.entry(key) {
            Entry::Occupied(entry) => Err(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert(place);
                Ok(())
            }
        }
    }

    pub(crate) fn get(&self, row_id: &str) -> Option<Place> {
        self.places.get(&Key::new(row_id)).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn only_lower_case_digests_are_packed_and_every_id_keeps_its_text() {
        let lower = "0123456789abcdef".repeat(4);
        for id in [lower.as_str(), &lower.to_uppercase(), "run 1", &lower[1..]] {
            assert_eq!(Key::new(id).text(), id);
        }
        assert!(matches!(Key::new(&lower), Key::Digest(_)));
        assert_ne!(Key::new(&lower), Key::new(&lower.to_uppercase()));
    }
}
