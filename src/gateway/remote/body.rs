//! Reading what a provider sent: strict JSON, but for characters that are broken in half.
//!
//! Pure. A half of a surrogate pair or a byte that is no text becomes U+FFFD and is reported, so that one broken emoji
//! does not cost a whole answer. Everything else that is not JSON is a failure.

use crate::json;
use crate::wire::call::excerpt;
use crate::wire::failure::{CallFailure, FailureKind};
use crate::wire::wrapped::wrapped_error;
use serde_json::Value;

/// How many characters of a foreign body a message shows.
const BEGINNING_CHARS: usize = 60;

/// A document, and whether characters were replaced.
#[derive(Debug)]
pub(super) struct Parsed {
    pub value: Value,
    pub lossy: bool,
}

/// Reads a body that came with status 200. An error object in it is the failure it names.
pub(super) fn read(body: &[u8], retry_after_s: Option<f64>) -> Result<Parsed, CallFailure> {
    let text = String::from_utf8_lossy(body);
    let damaged = matches!(text, std::borrow::Cow::Owned(_));
    let mut parsed = parse(&text).map_err(|error| {
        let beginning: String = text.chars().take(BEGINNING_CHARS).collect();
        let message = format!("the body is not acceptable JSON: {error}; it begins with `{}`", excerpt(&beginning));
        CallFailure::new(FailureKind::JsonDecode, message)
    })?;
    parsed.lossy |= damaged;
    match wrapped_error(&parsed.value, retry_after_s) {
        Some(failure) => Err(failure),
        None => Ok(parsed),
    }
}

/// Parses one document.
pub(super) fn parse(text: &str) -> Result<Parsed, json::ParseError> {
    let error = match json::parse_strict(text) {
        Ok(value) => return Ok(Parsed { value, lossy: false }),
        Err(error) => error,
    };
    match without_halves(text) {
        Some(repaired) => json::parse_strict(&repaired).map(|value| Parsed { value, lossy: true }),
        None => Err(error),
    }
}

/// The text with every escape of half a surrogate pair replaced by that of U+FFFD; null when there is none.
fn without_halves(text: &str) -> Option<String> {
    let mut repaired = String::with_capacity(text.len());
    let mut rest = text;
    let mut found = false;
    while let Some(start) = rest.find('\\') {
        repaired.push_str(&rest[..start]);
        rest = &rest[start..];
        let length = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                found = true;
                repaired.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            // Any other escape: the backslash and what it escapes.
            (None, _) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        repaired.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    repaired.push_str(rest);
    found.then_some(repaired)
}

/// The UTF-16 unit of an escape like `\ud83d` at the beginning.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_pair_is_replaced_and_a_whole_one_is_kept() {
        for (text, expected, lossy) in [
            (r#""ok \ud83d end""#, "ok \u{fffd} end", true),
            (r#""\ud83c\udf3f""#, "\u{1f33f}", false),
            (r#""\udf3f\ud83c\udf3f\ud83c""#, "\u{fffd}\u{1f33f}\u{fffd}", true),
            (r#""\ud83d\ud83c\udf3f é""#, "\u{fffd}\u{1f33f} é", true),
            (r#""\\ud83d \n""#, "\\ud83d \n", false),
        ] {
            let parsed = parse(text).unwrap();
            assert_eq!((parsed.value.as_str().unwrap(), parsed.lossy), (expected, lossy), "{text}");
        }
        for text in [r#""\ud8"#, r#""\"#, "\"\\ud83d", "<html>", r#"{"a":1,"a":"\ud83d"}"#] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_page_and_a_wrapped_refusal_are_failures_of_their_kind() {
        let failure = read(b"<html><body>busy</body></html>", None).unwrap_err();
        assert_eq!(failure.kind, FailureKind::JsonDecode);
        assert!(failure.message.ends_with("it begins with `<html><body>busy</body></html>`"), "{failure}");
        let body = br#"{"error":{"code":429,"message":"slow down"},"choices":null}"#;
        let failure = read(body, Some(2.0)).unwrap_err();
        assert!(failure.is_rate_limit());
        assert_eq!(failure.retry_after_s, Some(2.0));
        assert!(read(b"{\"a\":\"\xff\"}", None).unwrap().lossy);
    }
}
