//! A role that writes answers from contexts, by a chat model.

use super::chat::ChatClient;
use super::completion::Completion;
use super::prompt::Prompt;
use crate::gateway::roles::{Context, Generated, Generator, Pieces, RoleError, RoleFuture};
use serde_json::{Value, json};

/// A chat model with the prompt of section 1.13.
pub struct RemoteGenerator {
    chat: ChatClient,
    prompt: Prompt,
}

impl RemoteGenerator {
    /// Joins a model and a prompt of the kind [`super::PromptKind::Answer`].
    pub fn new(chat: ChatClient, prompt: Prompt) -> Self {
        Self { chat, prompt }
    }

    fn messages(&self, question: &str, contexts: &[Context]) -> Result<[Value; 1], RoleError> {
        let prompt = self.prompt.answer(question, contexts);
        let prompt = prompt.map_err(|error| RoleError::new(self.chat.model(), error.to_string()))?;
        Ok([json!({"role": "user", "content": prompt})])
    }

    fn generated(&self, completion: &Completion) -> Result<Generated, RoleError> {
        let answer = self.chat.answer_of(completion)?;
        Ok(Generated { answer, usage: completion.usage, details: completion.details() })
    }
}

impl Generator for RemoteGenerator {
    fn name(&self) -> &str {
        self.chat.model()
    }

    fn generate<'a>(&'a self, question: &'a str, contexts: &'a [Context]) -> RoleFuture<'a, Generated> {
        Box::pin(async move {
            let messages = self.messages(question, contexts)?;
            self.generated(&self.chat.complete(&messages, &[]).await?)
        })
    }

    fn stream<'a>(
        &'a self,
        question: &'a str,
        contexts: &'a [Context],
        pieces: &'a Pieces,
    ) -> RoleFuture<'a, Generated> {
        Box::pin(async move {
            let messages = self.messages(question, contexts)?;
            self.generated(&self.chat.stream(&messages, pieces).await?)
        })
    }
}
