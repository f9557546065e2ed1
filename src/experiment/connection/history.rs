//! Messages that go before the question.

use super::super::document::Node;
use super::super::fields::{Check, Fields};

/// Who said a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The rules of the conversation.
    System,
    /// The person.
    User,
    /// The service, in an earlier turn.
    Assistant,
}

impl Speaker {
    const CHOICES: [(&str, Self); 3] = [("system", Self::System), ("user", Self::User), ("assistant", Self::Assistant)];

    /// The word in the request.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message, sent as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who said it.
    pub role: Speaker,
    /// What was said.
    pub content: String,
}

/// Reads a list of `{role, content}`.
pub(super) fn read(check: &mut Check, node: &Node, name: &str) -> Option<Vec<Message>> {
    let mut messages = Vec::new();
    for node in check.list(node, name)? {
        let fields = Fields::open(node, "message", &["role", "content"], check)?;
        let role = fields.required("role", check, |c, n, k| c.choice(n, k, &Speaker::CHOICES));
        let content = fields.required("content", check, Check::text);
        messages.push(Message { role: role?, content: content? });
    }
    Some(messages)
}
