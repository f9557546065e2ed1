//! Templates: everything a report says that is longer than a line.
//!
//! Reads the embedded `templates/` folder and, when given, a project folder whose files replace it by relative name.
//! A template formats what it is given; text is put in as it is, so callers clean it first.

use super::{Error, Result};
use include_dir::{Dir, include_dir};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value};
use std::collections::BTreeMap;
use std::path::Path;

static EMBEDDED: Dir = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// All templates, by path below `templates/`.
pub struct Templates {
    environment: Environment<'static>,
}

impl Templates {
    /// Loads the embedded templates, then the files of `overrides`, which win by relative name.
    pub fn embedded(overrides: Option<&Path>) -> Result<Self> {
        let failed = |error| Error::Template { name: "syntax".to_owned(), source: Box::new(error) };
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_syntax(SyntaxConfig::builder().keep_trailing_newline(true).build().map_err(failed)?);
        add(&mut environment, &EMBEDDED, overrides)?;
        Ok(Self { environment })
    }

    /// Renders one template with named values.
    pub fn render(&self, name: &str, values: &serde_json::Value) -> Result<String> {
        let failed = |error| Error::Template { name: name.to_owned(), source: Box::new(error) };
        self.environment.get_template(name).and_then(|template| template.render(from_json(values))).map_err(failed)
    }
}

/// JSON as the template engine sees it. Serialising would hand it numbers as maps, because ours keep their digits.
pub(super) fn from_json(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::from(()),
        serde_json::Value::Bool(flag) => Value::from(*flag),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(integer) => Value::from(integer),
            None => Value::from(number.as_f64().unwrap_or(f64::NAN)),
        },
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => items.iter().map(from_json).collect(),
        serde_json::Value::Object(map) => {
            Value::from(map.iter().map(|(key, value)| (key.clone(), from_json(value))).collect::<BTreeMap<_, _>>())
        }
    }
}

fn add(environment: &mut Environment<'static>, folder: &'static Dir, overrides: Option<&Path>) -> Result<()> {
    for file in folder.files() {
        let name = file.path().to_string_lossy().replace('\\', "/");
        let replaced = overrides.and_then(|folder| std::fs::read_to_string(folder.join(file.path())).ok());
        let text = replaced.unwrap_or_else(|| file.contents_utf8().unwrap_or_default().to_owned());
        environment
            .add_template_owned(name.clone(), text)
            .map_err(|error| Error::Template { name, source: Box::new(error) })?;
    }
    folder.dirs().try_for_each(|inner| add(environment, inner, overrides))
}
