//! Golden files: compared byte for byte, rewritten when `UPDATE_GOLDEN=1`.

use std::path::{Path, PathBuf};

/// The checkout.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares `actual` with the file at `path` (relative to the checkout), or writes it when blessing.
///
/// # Panics
/// Panics when they differ, naming the first differing line.
#[track_caller]
pub fn check(path: impl AsRef<Path>, actual: &str) {
    let file = root().join(path.as_ref());
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::create_dir_all(file.parent().expect("a golden file has a folder")).expect("folder can be made");
        std::fs::write(&file, actual).expect("golden file can be written");
        return;
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    if expected == actual {
        return;
    }
    let line = expected.lines().zip(actual.lines()).take_while(|(left, right)| left == right).count();
    panic!(
        "{} differs at line {}\n  expected: {:?}\n  actual:   {:?}\nrun the tests with UPDATE_GOLDEN=1 to accept, then read the diff",
        path.as_ref().display(),
        line + 1,
        expected.lines().nth(line).unwrap_or("<end>"),
        actual.lines().nth(line).unwrap_or("<end>"),
    );
}
