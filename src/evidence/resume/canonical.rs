//! A short cut for rows in canonical form: most of a row is neither compared nor parsed.
//!
//! A canonical line begins with `approach` and ends with `question`, `reproducibility`, `row_id` and four scalars. Each
//! part is found from its end of the line. That is safe because the line is known to be one JSON object: a key with
//! unescaped quotes cannot lie inside a text, and a part that is balanced up to the closing brace lies at the top level.
//! Whatever does not fit exactly is left to the full parser.

use super::compare::StoredInputs;
use serde::Deserialize;
use serde_json::{Deserializer, Value};

const APPROACH: &str = "{\"approach\":";
const QUESTION: &str = ",\"question\":";
const REPRODUCIBILITY: &str = ",\"reproducibility\":";
const ROW_ID: &str = ",\"row_id\":";

/// Reads the compared parts of a row whose `reproducibility` has exactly the given text, and leaves that part null;
/// null when the row is not canonical or has another text there.
pub(super) fn read(line: &str, reproducibility: &str) -> Option<StoredInputs> {
    let (head, tail) = line.split_at(line.rfind(ROW_ID)?);
    let status = serde_json::from_str::<Tail>(&format!("{{{}", &tail[1..])).ok()?.status;
    let head = head.strip_suffix(reproducibility)?.strip_suffix(REPRODUCIBILITY)?;
    let question = serde_json::from_str(&head[head.rfind(QUESTION)? + QUESTION.len()..]).ok()?;
    let approach = Value::deserialize(&mut Deserializer::from_str(head.strip_prefix(APPROACH)?)).ok()?;
    Some(StoredInputs { status, question, approach, reproducibility: Value::Null })
}

#[derive(Deserialize)]
struct Tail {
    status: Value,
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn only_top_level_parts_are_taken() {
        let text = "{\"seed\":\"s\"}";
        let row = |evidence: &str| {
            format!(
                "{{\"approach\":{{\"model\":\"m\"}},\"evidence\":{evidence},\"question\":{{\"query\":\"right\"}},\
                 \"reproducibility\":{text},\"row_id\":\"x\",\"status\":\"ok\"}}"
            )
        };
        let decoy = format!("{{\"question\":{{\"query\":\"wrong\"}},\"reproducibility\":{text},\"row_id\":\"y\"}}");
        let found = read(&row(&decoy), text).unwrap();
        assert_eq!(found.question["query"], "right");
        assert_eq!(found.approach["model"], "m");
        assert_eq!(found.status, "ok");
        assert!(read(&row("{}"), "{\"seed\":\"other\"}").is_none());
        let last = format!(
            "{{\"approach\":{{}},\"row_id\":\"x\",\"z\":{{\"a\":1,\"question\":{{}},\"reproducibility\":{text},\"row_id\":\"x\",\"status\":\"ok\"}}}}"
        );
        assert!(read(&last, text).is_none());
    }
}
