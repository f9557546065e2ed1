//! A short cut for rows in canonical form that are as planned: most of a row is neither compared nor parsed.
//!
//! A canonical line begins with `approach` and ends with `question`, `reproducibility`, `row_id` and four scalars. Each
//! part is found from its end of the line. That is safe because the line is known to be one JSON object: a key with
//! unescaped quotes cannot lie inside a text, and a part that is balanced up to the closing brace lies at the top level.
//! Whatever does not fit exactly is left to the full parser.

use super::ExpectedCell;
use crate::evidence::row::Status;
use serde::Deserialize;
use serde_json::Deserializer;
use std::borrow::Cow;

const APPROACH: &str = "{\"approach\":";
const QUESTION: &str = ",\"question\":";
const REPRODUCIBILITY: &str = ",\"reproducibility\":";
const ROW_ID: &str = ",\"row_id\":";

/// How a row ended whose `reproducibility` has exactly the given text and whose other compared parts are those of the
/// cell; null when anything differs, or when the row is not canonical.
pub(super) fn status_if_equal(line: &str, reproducibility: &str, cell: &ExpectedCell) -> Option<Status> {
    let (head, tail) = line.split_at(line.rfind(ROW_ID)?);
    let head = head.strip_suffix(reproducibility)?.strip_suffix(REPRODUCIBILITY)?;
    let question: Question = serde_json::from_str(&head[head.rfind(QUESTION)? + QUESTION.len()..]).ok()?;
    let approach = Approach::deserialize(&mut Deserializer::from_str(head.strip_prefix(APPROACH)?)).ok()?;
    let is_equal =
        question.query == cell.query && approach.base_model == cell.base_model && approach.flavor == cell.flavor;
    if !is_equal {
        return None;
    }
    let tail = format!("{{{}", &tail[1..]);
    let status = serde_json::from_str::<Tail>(&tail).ok()?.status;
    [Status::Ok, Status::Error, Status::Timeout].into_iter().find(|known| known.as_str() == status)
}

#[derive(Deserialize)]
struct Question<'a> {
    #[serde(borrow)]
    query: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Approach<'a> {
    #[serde(borrow)]
    base_model: Cow<'a, str>,
    #[serde(borrow)]
    flavor: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Tail<'a> {
    #[serde(borrow)]
    status: Cow<'a, str>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::row::Reproducibility;
    use std::sync::Arc;

    const SEED: &str = "{\"seed\":\"s\"}";

    fn cell(query: &str, flavor: &str) -> ExpectedCell {
        ExpectedCell {
            row_id: "x".to_owned(),
            dataset_id: "d".to_owned(),
            question_id: "q".to_owned(),
            model: "m".to_owned(),
            query: query.to_owned(),
            base_model: "b".to_owned(),
            flavor: flavor.to_owned(),
            reproducibility: Arc::new(Reproducibility::default()),
        }
    }

    fn row(evidence: &str, status: &str) -> String {
        format!(
            "{{\"approach\":{{\"base_model\":\"b\",\"flavor\":\"f\"}},\"evidence\":{evidence},\
             \"question\":{{\"query\":\"a \\\"right\\\" one\"}},\
             \"reproducibility\":{SEED},\"row_id\":\"x\",\"status\":\"{status}\"}}"
        )
    }

    #[test]
    fn only_top_level_parts_are_taken() {
        let decoy = format!("{{\"question\":{{\"query\":\"wrong\"}},\"reproducibility\":{SEED},\"row_id\":\"y\"}}");
        let found = status_if_equal(&row(&decoy, "timeout"), SEED, &cell("a \"right\" one", "f"));
        assert_eq!(found, Some(Status::Timeout));
        let last = format!(
            "{{\"approach\":{{\"base_model\":\"b\",\"flavor\":\"f\"}},\"row_id\":\"x\",\"z\":{{\"a\":1,\
             \"question\":{{\"query\":\"q\"}},\"reproducibility\":{SEED},\"row_id\":\"x\",\"status\":\"ok\"}}}}"
        );
        assert_eq!(status_if_equal(&last, SEED, &cell("q", "f")), None);
    }

    #[test]
    fn what_differs_is_left_to_the_full_parser() {
        let planned = cell("a \"right\" one", "f");
        assert_eq!(status_if_equal(&row("{}", "ok"), SEED, &planned), Some(Status::Ok));
        assert_eq!(status_if_equal(&row("{}", "done"), SEED, &planned), None);
        assert_eq!(status_if_equal(&row("{}", "ok"), "{\"seed\":\"t\"}", &planned), None);
        assert_eq!(status_if_equal(&row("{}", "ok"), SEED, &cell("wrong", "f")), None);
        assert_eq!(status_if_equal(&row("{}", "ok"), SEED, &cell("a \"right\" one", "g")), None);
    }
}
