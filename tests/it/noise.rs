//! Bytes that nobody would write on purpose: a seeded generator and mutations of kept seeds, shared by the fuzz cases.

use std::path::Path;
use std::time::{Duration, Instant};

/// A xorshift generator: the same noise on every machine.
pub struct Noise(pub u64);

impl Noise {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Every kept seed of a folder below `tests/fixtures/fuzz`, in the order of names.
pub fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fuzz").join(name);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// Bytes that mean something in JSON, in a rendered answer or in a tag.
const GRAMMAR: &[u8] = b"{}[]\"\\:,<>/`-.0159eNI*#>|";

/// Changes, removes, repeats or moves a few bytes, or joins in a part of another seed.
pub fn mutate(noise: &mut Noise, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[noise.below(seeds.len())].clone();
    for _ in 0..=noise.below(6) {
        if bytes.is_empty() {
            break;
        }
        let (from, to) = (noise.below(bytes.len()), noise.below(bytes.len()));
        let (from, to) = (from.min(to), from.max(to));
        match noise.below(5) {
            0 => bytes[from] = noise.below(256) as u8,
            1 => drop(bytes.drain(from..to)),
            2 => {
                let part = bytes[from..to].to_vec();
                bytes.splice(to..to, part);
            }
            3 => bytes[from] = GRAMMAR[noise.below(GRAMMAR.len())],
            _ => {
                let other = &seeds[noise.below(seeds.len())];
                bytes.splice(from..to, other[noise.below(other.len())..].iter().copied());
            }
        }
    }
    bytes
}

/// Goes on for `RAGSQL_FUZZ_S` seconds when that is set, else for a number of rounds.
pub struct Rounds {
    start: Instant,
    limit: Option<Duration>,
    pub done_n: u64,
    least_n: u64,
}

impl Rounds {
    pub fn new(least_n: u64) -> Self {
        let limit = std::env::var("RAGSQL_FUZZ_S").ok().map(|text| Duration::from_secs(text.parse().unwrap()));
        Self { start: Instant::now(), limit, done_n: 0, least_n }
    }

    /// Whether there is another round.
    pub fn another(&mut self) -> bool {
        let goes_on = self.limit.map_or(self.done_n < self.least_n, |limit| self.start.elapsed() < limit);
        self.done_n += u64::from(goes_on);
        goes_on
    }
}
