//! The text that a judge reads.
//!
//! Reads a question and labelled answers, writes one message from `templates/panel/judge.md.j2` (ingredients:
//! `contract/evaluation.md` section 5.3). Foreign text stands between markers that carry a nonce found in none of the
//! texts. Never names an approach.

use super::error::PanelError;
use super::input::Question;
use crate::wire::judging::{self, ANSWER, NEED, QUESTION, closing, opening};
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};
use sha2::{Digest, Sha256};

const BUILT_IN: &str = include_str!("../../templates/panel/judge.md.j2");
const NAME: &str = "panel/judge.md.j2";

/// A usable prompt template.
pub struct Template {
    environment: Environment<'static>,
}

/// One answer under its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labelled<'a> {
    /// The label shown.
    pub label: &'a str,
    /// The text shown.
    pub text: &'a str,
}

impl Template {
    /// The template of this program.
    pub fn built_in() -> Result<Self, PanelError> {
        Self::new(BUILT_IN.to_owned())
    }

    /// A template of somebody's own. It sees `nonce`, `question`, `need` and `answers`, the latter three with `label`,
    /// `opening`, `text` and `closing`.
    pub fn new(source: String) -> Result<Self, PanelError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.add_template_owned(NAME, source).map_err(broken)?;
        Ok(Self { environment })
    }

    /// Writes the prompt for a question and its answers, in the order given.
    pub fn render(&self, question: &Question, answers: &[Labelled]) -> Result<String, PanelError> {
        let nonce = nonce(question, answers);
        let section = |name: &str, label: &str, text: &str| {
            context! { label, text, opening => opening(name, &nonce), closing => closing(name, &nonce) }
        };
        let answers: Vec<Value> = answers
            .iter()
            .map(|answer| section(&format!("{ANSWER} {}", answer.label), answer.label, answer.text))
            .collect();
        let values = context! {
            nonce => nonce.as_str(),
            question => section(QUESTION, "", &question.query),
            need => section(NEED, "", question.need.as_deref().unwrap_or_default()),
            answers,
        };
        self.environment.get_template(NAME).and_then(|template| template.render(values)).map_err(broken)
    }
}

/// Lower-case hex digits that depend on every text of the prompt and occur in none of them.
///
/// The texts enter sorted, so the nonce does not depend on the order shown.
fn nonce(question: &Question, answers: &[Labelled]) -> String {
    let mut texts: Vec<&str> = answers.iter().map(|answer| answer.text).collect();
    texts.sort_unstable();
    texts.extend([question.id.as_str(), question.query.as_str(), question.need.as_deref().unwrap_or_default()]);
    judging::nonce(&texts)
}

/// SHA-256 of a prompt, in lower-case hex.
pub fn fingerprint(prompt: &str) -> String {
    Sha256::digest(prompt.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn broken(error: minijinja::Error) -> PanelError {
    PanelError::Template { reason: format!("{error:#}") }
}
