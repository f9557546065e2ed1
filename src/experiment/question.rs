//! Question files as checked values (`contract/evaluation.md` section 1.4).

use super::document::{Document, Format, Node};
use super::fields::{Check, Fields};
use super::problem::{Problem, Problems, nearest, quoted};
use std::collections::HashMap;
use std::path::{Component, Path};
use std::sync::Arc;

/// What a question may say, whatever the format of its file.
pub(super) const FIELDS: [&str; 9] =
    ["id", "query", "kind", "ground_truth", "reference", "rationale", "expect_winner", "relevant_sources", "extra"];

/// One question. Every text is exactly as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Unique in its file.
    pub id: String,
    /// What is asked.
    pub query: String,
    /// What kind of question it is, for instance `multi_hop`; null when the file does not say.
    pub kind: Option<String>,
    /// The reference answer.
    pub ground_truth: Option<String>,
    /// What a good answer needs.
    pub rationale: Option<String>,
    /// The approach the author expects to win.
    pub expect_winner: Option<String>,
    /// Documents that hold the answer, relative to the corpus folder; null when the author did not say, empty when
    /// no document holds it.
    pub relevant_sources: Option<Vec<String>>,
}

/// A question file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionFile {
    /// In file order, at least one, ids unique.
    pub questions: Vec<Arc<Question>>,
    /// SHA-256 of the file's bytes as 64 hex digits.
    pub sha256: String,
}

impl QuestionFile {
    /// Keeps the questions with these ids (all when none is named), then the first `limit` of them, in file order.
    ///
    /// Every id that the file does not hold is reported; so is a choice that keeps none.
    pub fn choose(&self, ids: &[String], limit: Option<usize>) -> Result<Vec<Arc<Question>>, Problems> {
        let ids: Vec<&str> = ids.iter().map(|id| id.trim()).filter(|id| !id.is_empty()).collect();
        let known: Vec<&str> = self.questions.iter().map(|question| question.id.as_str()).collect();
        let mut problems = Problems::default();
        for id in ids.iter().filter(|id| !known.contains(id)) {
            let near = nearest(id, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            problems.add(Problem::general(format!("no question has the id {}", quoted(id))).suggest(near));
        }
        let kept = self.questions.iter().filter(|question| ids.is_empty() || ids.contains(&question.id.as_str()));
        let kept: Vec<Arc<Question>> = kept.take(limit.unwrap_or(usize::MAX)).cloned().collect();
        if kept.is_empty() && problems.0.is_empty() {
            problems.add(Problem::general("the selection keeps no question").suggest("the limit is 0".to_owned()));
        }
        problems.into_result(Some(kept))
    }
}

/// Reads a question file; `name` is how people know it. The ending decides the format: `.jsonl` and `.ndjson` are
/// JSON Lines, `.csv` has a header line, anything else is YAML.
///
/// With a `corpus` folder every relevant source must be a file in it: a misspelt one would count as never found.
pub fn load(path: &Path, name: &str, corpus: Option<&Path>) -> Result<QuestionFile, Problems> {
    let mut problems = Problems::default();
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let format = match ending.as_deref() {
        Some("jsonl" | "ndjson") => Format::JsonLines,
        Some("csv") => Format::Csv,
        _ => Format::Yaml,
    };
    let file = Document::read(path, name, format, &mut problems).map(|document| QuestionFile {
        questions: check_all(&document, corpus, &mut problems),
        sha256: document.sha256,
    });
    problems.into_result(file)
}

fn check_all(document: &Document, corpus: Option<&Path>, problems: &mut Problems) -> Vec<Arc<Question>> {
    let Some(root) = &document.root else {
        problems.add(Problem::file(&document.source.file, "the file is empty; it needs a list of questions"));
        return Vec::new();
    };
    let check = &mut Check::new(document, problems);
    let Some(nodes) = check.list(root, "the question file") else { return Vec::new() };
    if nodes.is_empty() {
        check.refuse(root.place, "the question file must list one question at least", None);
    }
    let mut lines = HashMap::new();
    nodes.iter().filter_map(|node| question(node, corpus, &mut lines, check)).map(Arc::new).collect()
}

fn question(
    node: &Node,
    corpus: Option<&Path>,
    lines: &mut HashMap<String, usize>,
    check: &mut Check,
) -> Option<Question> {
    let fields = Fields::open(node, "question", &FIELDS, check)?;
    let id = fields.required("id", check, Check::identifier);
    if let (Some(id), Some(entry)) = (&id, fields.entry("id")) {
        let place = entry.node.place;
        if let Some(first) = lines.get(id) {
            check.refuse(place, format!("the question id {} is already on line {first}", quoted(id)), None);
        } else {
            lines.insert(id.clone(), place.line);
        }
    }
    let query = fields.required("query", check, Check::text);
    let kind = fields.optional("kind", None, check, Check::text_or_null);
    let truth_key = if fields.entry("ground_truth").is_some() { "ground_truth" } else { "reference" };
    let ground_truth = fields.optional(truth_key, None, check, Check::text_or_null);
    if truth_key == "ground_truth" {
        // It loses against `ground_truth`, but a wrong value is still wrong.
        fields.optional("reference", None, check, Check::text_or_null);
    }
    let rationale = fields.optional("rationale", None, check, Check::text_or_null);
    let expect_winner = fields.optional("expect_winner", None, check, Check::text_or_null);
    let relevant_sources = fields.optional("relevant_sources", None, check, |check, node, name| {
        if node.is_null() { Some(None) } else { sources(node, name, corpus, check).map(Some) }
    });
    Some(Question {
        id: id?,
        query: query?,
        kind: kind?,
        ground_truth: ground_truth?,
        rationale: rationale?,
        expect_winner: expect_winner?,
        relevant_sources: relevant_sources?,
    })
}

fn sources(node: &Node, name: &str, corpus: Option<&Path>, check: &mut Check) -> Option<Vec<String>> {
    let mut sources: Vec<String> = Vec::new();
    for node in check.list(node, name)? {
        let Some(source) = check.text(node, "a relevant source") else { continue };
        if !Path::new(&source).components().all(|part| matches!(part, Component::Normal(_))) {
            let message = format!("the relevant source {} must be a path inside the corpus folder", quoted(&source));
            check.refuse(node.place, message, None);
        } else if sources.contains(&source) {
            check.refuse(node.place, format!("the relevant source {} is listed twice", quoted(&source)), None);
        } else {
            if let Some(folder) = corpus.filter(|folder| !folder.join(&source).is_file()) {
                let message = format!("the relevant source {} is not a file of the corpus folder", quoted(&source));
                let near = nearest_file(&source, folder).map(|name| format!("did you mean `{name}`?"));
                check.refuse(node.place, message, near);
            }
            sources.push(source);
        }
    }
    Some(sources)
}

/// The file that lies beside the missing one and is called nearly the same.
fn nearest_file(source: &str, corpus: &Path) -> Option<String> {
    let parent = Path::new(source).parent()?;
    let files = std::fs::read_dir(corpus.join(parent)).ok()?.filter_map(|entry| {
        let name = parent.join(entry.ok()?.file_name());
        name.to_str().map(str::to_owned)
    });
    let files: Vec<String> = files.collect();
    nearest(source, files.iter().map(String::as_str)).map(str::to_owned)
}
