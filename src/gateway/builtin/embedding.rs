//! `builtin/hashed-subword-256`: a deterministic text embedding without a model file.
//!
//! Every word and every character 3- to 5-gram of a content word is hashed to one of 256 components with a sign (feature
//! hashing, Weinberger et al. 2009). Shared words and shared pieces of words bring texts together; meaning does not.
//! Pure; reads and writes nothing.

use super::words::{Kind, Word, words};
use crate::gateway::evaluate::formula;

/// How many components every vector has.
pub const DIMENSION: usize = 256;

/// Weight of one occurrence of a word, by its kind.
fn word_weight(kind: Kind) -> f64 {
    match kind {
        Kind::Stop => 0.05,
        Kind::Plain => 1.0,
        Kind::Name => 1.4,
        Kind::Number => 0.9,
        Kind::Identifier => 2.0,
    }
}

/// How long the vector of a word's pieces is, against that of the word itself.
const PIECE_SHARE: f64 = 0.3;

/// Embeds a text: 256 finite components, length 1.
///
/// A text without any word gives the first unit vector, so that cosine stays defined.
pub fn embed(text: &str) -> Vec<f32> {
    let words = words(text);
    let mut features: Vec<(u64, f64)> = Vec::with_capacity(words.len() * 8);
    for word in &words {
        let weight = word_weight(word.kind);
        features.push((hash(b'w', word.stem.as_bytes()), weight));
        if word.is_content() && !word.is_exact() {
            push_pieces(&mut features, word, weight);
        }
    }
    normalised(&sum(features))
}

/// Cosine of two vectors of equal size: -1 to 1, and 0 when one has no length.
pub fn cosine(left: &[f32], right: &[f32]) -> f64 {
    formula::cosine(left, right).unwrap_or(0.0)
}

/// Adds the character 3- to 5-grams of a word between markers of its start and end.
fn push_pieces(features: &mut Vec<(u64, f64)>, word: &Word<'_>, weight: f64) {
    let marked: Vec<char> = std::iter::once('<').chain(word.stem.chars()).chain(std::iter::once('>')).collect();
    let count: usize = (3..=5).map(|size| (marked.len() + 1).saturating_sub(size)).sum();
    if count == 0 {
        return;
    }
    // Together the pieces are as long as the share, however long the word is.
    let each = weight * PIECE_SHARE / (count as f64).sqrt();
    let mut bytes = Vec::with_capacity(20);
    for size in 3..=5 {
        for piece in marked.windows(size) {
            bytes.clear();
            for character in piece {
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            features.push((hash(b'p', &bytes), each));
        }
    }
}

/// Adds equal features up with a sublinear count, and each feature to its component.
fn sum(mut features: Vec<(u64, f64)>) -> [f64; DIMENSION] {
    features.sort_unstable_by(|left, right| left.0.cmp(&right.0).then(left.1.total_cmp(&right.1)));
    let mut components = [0.0; DIMENSION];
    for equal in features.chunk_by(|left, right| left.0 == right.0) {
        let (hash, heaviest) = equal[equal.len() - 1];
        let value = heaviest * (1.0 + (equal.len() as f64).ln());
        let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
        components[(hash % DIMENSION as u64) as usize] += sign * value;
    }
    components
}

fn normalised(components: &[f64; DIMENSION]) -> Vec<f32> {
    let length = components.iter().map(|component| component * component).sum::<f64>().sqrt();
    if length == 0.0 {
        let mut unit = vec![0.0; DIMENSION];
        unit[0] = 1.0;
        return unit;
    }
    components.iter().map(|component| (component / length) as f32).collect()
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923), seeded with the kind of feature, then mixed.
fn hash(feature: u8, bytes: &[u8]) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for byte in std::iter::once(&feature).chain(bytes) {
        state = (state ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    mix(state)
}

/// The finalizer of MurmurHash3 (Appleby, public domain): spreads every bit over the whole word.
fn mix(mut state: u64) -> u64 {
    state = (state ^ (state >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    state = (state ^ (state >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    state ^ (state >> 33)
}
