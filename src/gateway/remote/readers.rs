//! Roles that read passages and questions by a chat model: blurbs, entities and relations, keywords, classes.
//!
//! A reply that should be JSON is taken from its first `{` to its last `}`, so that a fence or a word around it does no
//! harm. A reply that cannot be read is asked for once more; the second is a failure, never an empty result.

use super::body::parse;
use super::chat::ChatClient;
use super::prompt::{Prompt, PromptError};
use crate::gateway::roles::{
    BlurbRequest, BlurbWriter, Classified, Classifier, ExtractedEntity, ExtractedRelation, Extraction, Extractor,
    Fault, KeywordFinder, Keywords, RoleError, RoleFuture,
};
use crate::wire::call::excerpt;
use serde_json::{Value, json};

/// A chat model with the prompt of one role.
pub struct RemoteReader {
    chat: ChatClient,
    prompt: Prompt,
    max_concurrency: usize,
}

impl RemoteReader {
    /// Joins a model and a prompt; the prompt's kind must be the role's.
    pub fn new(chat: ChatClient, prompt: Prompt, max_concurrency: usize) -> Self {
        Self { chat, prompt, max_concurrency }
    }

    async fn ask(&self, prompt: &str) -> Result<String, RoleError> {
        let completion = self.chat.complete(&[json!({"role": "user", "content": prompt})], &[]).await?;
        self.chat.answer_of(&completion)
    }

    /// The lists of objects or texts that a reply must have under these names.
    async fn ask_json<const N: usize>(
        &self,
        prompt: Result<String, PromptError>,
        lists: [&str; N],
    ) -> Result<[Vec<Value>; N], RoleError> {
        let prompt = prompt.map_err(|error| self.failed(error.to_string()))?;
        let mut reply = self.ask(&prompt).await?;
        if read(&reply, lists).is_none() {
            reply = self.ask(&prompt).await?;
        }
        read(&reply, lists).ok_or_else(|| {
            let wanted = lists.join("` and `");
            let message = format!("its reply is no JSON object with the lists `{wanted}`: {}", excerpt(&reply));
            RoleError { fault: Fault::Unreadable, ..self.failed(message) }
        })
    }

    fn failed(&self, message: String) -> RoleError {
        RoleError::new(self.chat.model(), message)
    }
}

impl BlurbWriter for RemoteReader {
    fn name(&self) -> &str {
        self.chat.model()
    }

    fn max_concurrency(&self) -> usize {
        self.max_concurrency
    }

    fn blurb<'a>(&'a self, request: &'a BlurbRequest) -> RoleFuture<'a, String> {
        Box::pin(async move {
            let prompt = self.prompt.blurb(request).map_err(|error| self.failed(error.to_string()))?;
            self.ask(&prompt).await
        })
    }
}

impl Extractor for RemoteReader {
    fn name(&self) -> &str {
        self.chat.model()
    }

    fn max_concurrency(&self) -> usize {
        self.max_concurrency
    }

    fn extract<'a>(&'a self, title: &'a str, text: &'a str) -> RoleFuture<'a, Extraction> {
        Box::pin(async move {
            let lists = ["entities", "relations"];
            let [entities, relations] = self.ask_json(self.prompt.extract(title, text), lists).await?;
            Ok(Extraction {
                entities: entities.iter().filter_map(entity).collect(),
                relations: relations.iter().filter_map(relation).collect(),
                unreadable: None,
            })
        })
    }
}

impl KeywordFinder for RemoteReader {
    fn name(&self) -> &str {
        self.chat.model()
    }

    fn keywords<'a>(&'a self, question: &'a str) -> RoleFuture<'a, Keywords> {
        Box::pin(async move {
            let lists = ["low_level", "high_level"];
            let [low_level, high_level] = self.ask_json(self.prompt.about(question), lists).await?;
            Ok(Keywords { low_level: texts(&low_level), high_level: texts(&high_level) })
        })
    }
}

impl Classifier for RemoteReader {
    fn name(&self) -> &str {
        self.chat.model()
    }

    fn classify<'a>(&'a self, question: &'a str) -> RoleFuture<'a, Classified> {
        Box::pin(async move {
            let prompt = self.prompt.about(question).map_err(|error| self.failed(error.to_string()))?;
            let completion = self.chat.complete(&[json!({"role": "user", "content": prompt})], &[]).await?;
            Ok(Classified { text: self.chat.answer_of(&completion)?, usage: completion.usage })
        })
    }
}

/// Reads named lists from the JSON object of a reply; null when there is no such object, or one of them is no list.
fn read<const N: usize>(reply: &str, lists: [&str; N]) -> Option<[Vec<Value>; N]> {
    let object = reply.get(reply.find('{')?..=reply.rfind('}')?)?;
    let value = parse(object).ok()?.value;
    let mut found = lists.map(|_| Vec::new());
    for (list, name) in found.iter_mut().zip(lists) {
        *list = value.get(name)?.as_array()?.clone();
    }
    Some(found)
}

/// A thing with a name; null for anything else.
fn entity(value: &Value) -> Option<ExtractedEntity> {
    let name = text(value, "name");
    let aliases = value.get("aliases").and_then(Value::as_array).map(|list| texts(list)).unwrap_or_default();
    let entity = ExtractedEntity { name, kind: text(value, "kind"), aliases, description: text(value, "description") };
    (!entity.name.is_empty()).then_some(entity)
}

/// A relation with both ends; null for anything else.
fn relation(value: &Value) -> Option<ExtractedRelation> {
    let relation = ExtractedRelation {
        source: text(value, "source"),
        target: text(value, "target"),
        kind: text(value, "kind"),
        description: text(value, "description"),
    };
    (!relation.source.is_empty() && !relation.target.is_empty()).then_some(relation)
}

fn text(value: &Value, field: &str) -> String {
    value.get(field).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
}

fn texts(values: &[Value]) -> Vec<String> {
    let texts = values.iter().filter_map(Value::as_str).map(str::trim);
    texts.filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_from_whatever_stands_around_them_and_never_guessed() {
        let [low, high] =
            read("```json\n{\"low_level\": [\"A\"], \"high_level\": []}\n```", ["low_level", "high_level"]).unwrap();
        assert_eq!((texts(&low), high), (vec!["A".to_owned()], Vec::new()));
        for reply in ["", "none", "{}", "}{", "{\"low_level\": [], \"high_level\": \"x\"}", "{\"low_level\": ["] {
            assert!(read(reply, ["low_level", "high_level"]).is_none(), "{reply}");
        }
    }

    #[test]
    fn things_without_a_name_and_relations_without_an_end_are_left_out() {
        assert!(entity(&json!({"name": " ", "kind": "person"})).is_none());
        assert!(entity(&json!("Ann")).is_none());
        let ann = entity(&json!({"name": " Ann ", "aliases": ["A.", 5, ""], "description": null})).unwrap();
        assert_eq!((ann.name.as_str(), ann.aliases.as_slice()), ("Ann", ["A.".to_owned()].as_slice()));
        assert!(relation(&json!({"source": "Ann"})).is_none());
        assert!(relation(&json!({"source": "Ann", "target": "Bob", "kind": "knows"})).is_some());
    }
}
