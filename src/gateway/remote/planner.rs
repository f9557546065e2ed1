//! Role `agentic` by a chat model that calls tools.
//!
//! Source: `contract/gateway.md` sections 1.12 and 2.5. A reply without choices, or a choice without a message, is a turn
//! like any other; a refusal, a cut or reasoning in place of an answer is a failure with its reason.

use super::chat::ChatClient;
use super::completion::usage;
use super::prompt::{Prompt, PromptError};
use super::thought::Thought;
use crate::gateway::roles::{Fault, Planner, RoleError, RoleFuture, Turn, TurnRequest};
use crate::wire::empty::{EmptyAnswer, why_empty};
use serde_json::Value;

/// A chat model with the project's instructions.
pub struct RemotePlanner {
    chat: ChatClient,
    instructions: String,
}

impl RemotePlanner {
    /// Joins a model and a prompt, which must be that of an agent.
    pub fn new(chat: ChatClient, prompt: &Prompt) -> Result<Self, PromptError> {
        Ok(Self { chat, instructions: prompt.instructions()? })
    }
}

impl Planner for RemotePlanner {
    fn name(&self) -> &str {
        self.chat.model()
    }

    fn instructions(&self) -> &str {
        &self.instructions
    }

    fn turn<'a>(&'a self, request: TurnRequest<'a>) -> RoleFuture<'a, Turn> {
        Box::pin(async move {
            let reply = self.chat.reply(request.messages, request.tools).await?;
            read(&reply).map_err(|fault| {
                let reason = match &fault {
                    Fault::Empty { reason, .. } => reason.to_string(),
                    _ => "its reply cannot be read".to_owned(),
                };
                let message = format!("it gave no answer: {reason}");
                RoleError { model: self.chat.model().to_owned(), message, fault }
            })
        })
    }
}

/// Reads a reply; the fault is that of a message which neither answers nor calls a tool, and says why.
fn read(reply: &Value) -> Result<Turn, Fault> {
    let usage = usage(reply.get("usage"));
    let Some(choice) = reply.get("choices").and_then(Value::as_array).and_then(|choices| choices.first()) else {
        return Ok(Turn { usage, ..Turn::default() });
    };
    let message = choice.get("message").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut thought = Thought::default();
    let content = message.get("content").and_then(Value::as_str).unwrap_or_default();
    let text = format!("{}{}", thought.push(content), thought.finish());
    let calls = message.get("tool_calls").and_then(Value::as_array).is_some_and(|calls| !calls.is_empty());
    if text.is_empty() && !calls {
        let inline = !thought.reasoning().is_empty();
        if let Some(reason) = why_empty(choice, &message).or(inline.then_some(EmptyAnswer::ReasoningOnly)) {
            let fields = ["refusal", "reasoning_content", "reasoning"];
            let said = fields.iter().find_map(|field| message.get(*field)?.as_str());
            return Err(Fault::Empty { reason, said: said.unwrap_or(thought.reasoning()).to_owned() });
        }
    }
    Ok(Turn { message: Some(message), text, usage })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_turn_without_choices_or_with_a_strange_message_is_a_turn() {
        for none in [json!({}), json!({"choices": []}), json!({"choices": null}), json!(null)] {
            assert_eq!(read(&none), Ok(Turn::default()), "{none}");
        }
        let list = json!({"choices": [{"message": {"content": [{"type": "text", "text": "x"}]}}]});
        for strange in [list, json!({"choices": [{}]}), json!({"choices": ["x"]})] {
            let turn = read(&strange).unwrap();
            assert_eq!((turn.text.as_str(), turn.message.is_some()), ("", true), "{strange}");
        }
    }

    #[test]
    fn reasoning_is_no_thought_and_no_answer() {
        let reply = |message: Value| json!({"choices": [{"message": message}], "usage": {"total_tokens": 3}});
        let turn = read(&reply(json!({"content": "<think>hm</think>\n\nBlue."}))).unwrap();
        assert_eq!((turn.text.as_str(), turn.usage.unwrap().total_tokens), ("Blue.", Some(3)));
        assert_eq!(turn.message.unwrap()["content"], "<think>hm</think>\n\nBlue.");
        let calls = json!({"content": null, "reasoning": "hm", "tool_calls": [{}]});
        assert_eq!(read(&reply(calls)).unwrap().text, "");
        let empty = read(&reply(json!({"content": "<think>hm"}))).unwrap_err();
        assert_eq!(empty, Fault::Empty { reason: EmptyAnswer::ReasoningOnly, said: "hm".to_owned() });
        let refused = read(&reply(json!({"content": null, "refusal": "no"}))).unwrap_err();
        assert_eq!(refused, Fault::Empty { reason: EmptyAnswer::Refused, said: "no".to_owned() });
    }
}
