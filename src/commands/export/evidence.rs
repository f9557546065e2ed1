//! Which bytes of evidence an export rests on.

use crate::commands::context::Context;
use crate::error::{Failure, Kind, Result};
use crate::json;
use crate::warehouse::AdHoc;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

const BLOCK_BYTES: usize = 1 << 20;

/// A JSON list of the evidence files: name, bytes and lines that were read, and the SHA-256 of those bytes.
///
/// The hash is null for a file that is gone, or shorter than it was.
pub fn hashed(open: &AdHoc, context: &Context) -> Result<String> {
    let mut files = Vec::new();
    for row in open.warehouse().query("ingest/known_files", &[])?.rows {
        if row.text("kind")? != "evidence" {
            continue;
        }
        let path = Path::new(row.text("path")?);
        let size_bytes = row.integer("size_bytes")?;
        let sha256 = prefix_sha256(path, u64::try_from(size_bytes).unwrap_or(0))
            .map_err(|error| Failure::new(Kind::Outside, format!("cannot read `{}`: {error}", context.shown(path))))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        files.push(json!({
            "file": name, "size_bytes": size_bytes, "lines_n": row.integer("lines_n")?, "sha256": sha256,
        }));
    }
    Ok(json::canonical(&Value::Array(files)).unwrap_or_default())
}

fn prefix_sha256(path: &Path, size_bytes: u64) -> std::io::Result<Option<String>> {
    let mut file = match File::open(path) {
        Ok(file) => file.take(size_bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut hash = Sha256::new();
    let mut block = vec![0; BLOCK_BYTES];
    let mut read_bytes = 0;
    loop {
        let length = file.read(&mut block)?;
        if length == 0 {
            break;
        }
        hash.update(&block[..length]);
        read_bytes += length as u64;
    }
    let digits = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((read_bytes == size_bytes).then_some(digits))
}
