//! The words around a question: a minijinja template that knows `question` and nothing else.
//!
//! It is compiled and tried when the file is read. A question is put in once and never read as a template itself.

use super::super::document::Node;
use super::super::fields::Check;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};

const NAME: &str = "prompt";
/// The one name a template may use.
const QUESTION: &str = "question";

/// Two questions of the same length.
const PROBES: [&str; 2] = ["When does the ferry leave?", "Which crane lifts 40 tons?"];

/// A template that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    text: String,
}

impl Prompt {
    /// The message for one question; fails for a question that the template cannot take, with the reason.
    pub fn message(&self, question: &str) -> Result<String, String> {
        environment().render_named_str(NAME, &self.text, context! { question }).map_err(|error| error.to_string())
    }
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment
}

/// Reads a template; one that cannot be rendered, or that leaves the question out, is refused.
pub(super) fn read(check: &mut Check, node: &Node, name: &str) -> Option<Prompt> {
    let text = check.text(node, name)?;
    let environment = environment();
    let template = match environment.template_from_named_str(NAME, &text) {
        Ok(template) => template,
        Err(error) => {
            check.refuse(node.place, format!("{name} is no template: {error}"), None);
            return None;
        }
    };
    let mut unknown: Vec<String> =
        template.undeclared_variables(false).into_iter().filter(|name| name != QUESTION).collect();
    unknown.sort();
    if let Some(unknown) = unknown.first() {
        check.refuse(node.place, format!("{name} uses `{unknown}`; it knows `{QUESTION}`"), None);
        return None;
    }
    let tried = PROBES.map(|question| template.render(context! { question }));
    match tried {
        [Err(error), _] | [_, Err(error)] => {
            check.refuse(node.place, format!("{name} cannot be rendered: {error}"), None);
        }
        // Whatever a template does to a question, two questions must not become the same message.
        [Ok(one), Ok(other)] if one == other => {
            let hint = "write `{{ question }}` where the question belongs".to_owned();
            check.refuse(node.place, format!("{name} leaves the question out"), hint);
        }
        [Ok(_), Ok(_)] => return Some(Prompt { text }),
    }
    None
}
