//! The style and the script of HTML pages, with the hashes by which a browser is told to run these and nothing else.
//!
//! Reads `assets/report.css` and `assets/report.js` of the page templates, which a project may replace; returns values.
//! Both stand inside the page, so they must not hold what ends their element.

use super::Pages;
use crate::report::{Error, Result};
use minijinja::value::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The style of every HTML page.
pub const STYLE: &str = "assets/report.css";
/// The script of every HTML page.
pub const SCRIPT: &str = "assets/report.js";

const ASSETS: [(&str, &str, &str); 2] = [("style", STYLE, "</style"), ("script", SCRIPT, "</script")];

/// `style` and `script` as text, `style_hash` and `script_hash` as a content security policy writes them.
pub fn value(pages: &Pages) -> Result<Value> {
    let mut values: BTreeMap<String, Value> = BTreeMap::new();
    for (name, file, end) in ASSETS {
        let text = pages.sources.get(file).map_or("", |source| source.text.as_str());
        if text.to_ascii_lowercase().contains(end) {
            let reason = format!("`{end}` would end the element that it stands in");
            return Err(Error::Page { template: format!("pages/{file}"), reason });
        }
        values.insert(format!("{name}_hash"), policy_hash(text).into());
        values.insert(name.to_owned(), Value::from_safe_string(text.to_owned()));
    }
    Ok(Value::from(values))
}

/// The hash of a text as a content security policy writes it.
pub fn policy_hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

/// RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_written_as_policies_want_them() {
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(policy_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
