//! One judgement of an evaluator: ask, read strictly, and when the reply cannot be used, say why and ask once more.
//!
//! Reads a prompt and a reader of replies; writes the judgement, or the trouble with what was heard. Calls the model
//! through [`ChatClient`], which has its own attempts for calls that fail.

use super::replies::object;
use crate::gateway::evaluate::{Outcome, Reason};
use crate::gateway::identity::sha256_hex;
use crate::gateway::remote::chat::ChatClient;
use crate::gateway::remote::prompt::{Material, Prompt, PromptError, PromptKind};
use crate::gateway::roles::{Fault, RoleError};
use crate::wire::empty::EmptyAnswer;
use serde_json::{Map, Value, json};

/// How many characters of an unusable reply the details keep.
const REPLY_CHARS: usize = 500;
/// Replies that are read for one judgement.
const ATTEMPTS: usize = 2;

/// What an evaluator is asked with.
pub struct EvaluatorPrompts {
    /// For the statements of an answer.
    pub statements: Prompt,
    /// For verdicts on statements.
    pub verdicts: Prompt,
    /// For the questions that an answer answers.
    pub questions: Prompt,
    /// For the use of one context.
    pub context: Prompt,
    /// For the statements of a reference, with verdicts.
    pub recall: Prompt,
    /// For another try.
    pub again: Prompt,
}

impl EvaluatorPrompts {
    /// Takes each prompt from `find`, which knows the project's own.
    pub fn new<E>(mut find: impl FnMut(PromptKind) -> Result<Prompt, E>) -> Result<Self, E> {
        Ok(Self {
            statements: find(PromptKind::EvaluateStatements)?,
            verdicts: find(PromptKind::EvaluateVerdicts)?,
            questions: find(PromptKind::EvaluateQuestions)?,
            context: find(PromptKind::EvaluateContext)?,
            recall: find(PromptKind::EvaluateRecall)?,
            again: find(PromptKind::EvaluateAgain)?,
        })
    }

    /// SHA-256 over the hashes of all templates, in lower-case hex.
    pub fn sha256(&self) -> String {
        let Self { statements, verdicts, questions, context, recall, again } = self;
        let hashes = [statements, verdicts, questions, context, recall, again].map(Prompt::sha256);
        sha256_hex(hashes.concat().as_bytes())
    }
}

/// Why there is no judgement, and what was seen on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    reason: Reason,
    details: Map<String, Value>,
}

impl Trouble {
    /// A reason with one line about it.
    pub fn new(reason: Reason, problem: String) -> Self {
        Self { reason, details: Map::from_iter([("problem".to_owned(), json!(problem))]) }
    }

    /// A call that failed.
    pub fn of_call(error: &RoleError) -> Self {
        let reason = match &error.fault {
            Fault::Timeout => Reason::Timeout,
            Fault::RateLimited { .. } => Reason::RateLimited,
            Fault::Failed => Reason::GatewayError,
            Fault::Unreadable => Reason::Parse,
            Fault::Empty { reason, .. } => of_empty(*reason),
        };
        Self::new(reason, error.to_string())
    }

    /// Adds what was known before the trouble.
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.details.insert(name.to_owned(), value);
        self
    }

    /// The null that it leads to.
    pub fn outcome(self) -> Outcome {
        Outcome::missing(self.reason, Value::Object(self.details))
    }
}

fn of_empty(empty: EmptyAnswer) -> Reason {
    match empty {
        EmptyAnswer::Truncated => Reason::Truncated,
        EmptyAnswer::Refused => Reason::Refused,
        EmptyAnswer::ToolCall | EmptyAnswer::ReasoningOnly => Reason::Empty,
    }
}

/// Asks one model with one set of prompts.
pub(super) struct Asking<'a> {
    pub chat: &'a ChatClient,
    pub prompts: &'a EvaluatorPrompts,
}

impl Asking<'_> {
    /// Asks until `read` accepts the reply, at most [`ATTEMPTS`] times. A reply that ended at its token limit is not
    /// asked for again: the limit would be the same.
    pub async fn reply<T>(
        &self,
        prompt: &Prompt,
        material: &Material<'_>,
        read: impl Fn(&Value) -> Result<T, String>,
    ) -> Result<T, Trouble> {
        let broken = |error: PromptError| Trouble::new(Reason::GatewayError, error.to_string());
        let asked = prompt.evaluate(material).map_err(broken)?;
        let mut messages = vec![json!({"role": "user", "content": asked})];
        let mut attempts_n = 0;
        loop {
            let failed = |error: RoleError| Trouble::of_call(&error);
            let completion = self.chat.complete(&messages, &[]).await.map_err(failed)?;
            let is_cut = completion.finish_reason.as_deref() == Some("length");
            let is_blank = completion.text.as_deref().is_none_or(|text| text.trim().is_empty());
            if is_blank && completion.empty.is_none() && !is_cut {
                let problem = format!("the model `{}` said nothing", self.chat.model());
                return Err(Trouble::new(Reason::Empty, problem));
            }
            let text = self.chat.answer_of(&completion).map_err(failed)?;
            attempts_n += 1;
            let problem = match object(&text).and_then(|value| read(&value)) {
                Ok(read) => return Ok(read),
                Err(problem) => problem,
            };
            if is_cut || attempts_n == ATTEMPTS {
                let reason = if is_cut { Reason::Truncated } else { Reason::Parse };
                let heard: String = text.chars().take(REPLY_CHARS).collect();
                return Err(Trouble::new(reason, problem).with("reply", json!(heard)));
            }
            let again = self.prompts.again.evaluate(&Material { problem: &problem, ..Material::default() });
            messages.push(json!({"role": "assistant", "content": text}));
            messages.push(json!({"role": "user", "content": again.map_err(broken)?}));
        }
    }
}
