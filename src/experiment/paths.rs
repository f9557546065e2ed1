//! Paths as the experiment files name them.
//!
//! Looks at the file system to follow links; never opens or creates anything.

use std::path::{Component, Path, PathBuf};

/// Makes a path from a file absolute: against `base`, with `..` and links resolved as far as the path exists.
///
/// An absolute path wins over the base. What does not exist yet is kept as written.
pub fn resolve(base: &Path, path: impl AsRef<Path>) -> PathBuf {
    let joined = base.join(path);
    let absolute = std::path::absolute(&joined).unwrap_or(joined);
    let mut resolved = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::CurDir => {}
            // The part before is free of links already, so going up one is what the system would do.
            Component::ParentDir => {
                resolved.pop();
            }
            other => {
                resolved.push(other);
                if let Ok(real) = resolved.canonicalize() {
                    resolved = real;
                }
            }
        }
    }
    resolved
}

/// Names a path for people: relative to the project when it lies in it.
pub fn display(project: &Path, path: &Path) -> String {
    path.strip_prefix(project).unwrap_or(path).display().to_string()
}
