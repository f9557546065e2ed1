//! Statements by name: which query `@leaderboard` means, its parameters as its header types them, and its help.

use crate::commands::context::Context;
use crate::error::{Failure, Kind, Result};
use crate::report::terminal::{Column, table};
use crate::ui;
use crate::warehouse::catalogue::{self, Query};
use crate::warehouse::{Error, Parameter};
use serde_json::json;
use std::collections::BTreeSet;

/// Folders whose queries answer something by themselves.
const FOLDERS: [&str; 4] = ["metrics/", "rankings/", "reports/", "exports/"];

/// A statement ready to be asked.
pub struct Question {
    /// The SQL.
    pub text: String,
    /// Values of its parameters, by name.
    pub values: Vec<(String, Parameter)>,
    /// What it is called on a page.
    pub title: String,
    /// Name and hash of the query, when it is one of the catalogue.
    source: Option<(String, String)>,
}

impl Question {
    /// Reads SQL, or `@NAME key=value ...`.
    pub fn read(context: &Context, text: &str, given: &[(String, String)]) -> Result<Self> {
        let Some(call) = text.trim().strip_prefix('@') else {
            let values = given.iter().map(|(name, value)| (name.clone(), Parameter::Text(value.clone()))).collect();
            return Ok(Self { text: text.to_owned(), values, title: "ragsql sql".to_owned(), source: None });
        };
        let mut words = call.split_whitespace();
        let query = find(context, words.next().unwrap_or_default())?;
        let mut given = given.to_vec();
        given.extend(named_values(&words.map(str::to_owned).collect::<Vec<_>>())?);
        Ok(Self {
            text: query.text.clone(),
            values: typed(query, &given)?,
            title: query.full_name(),
            source: Some((query.full_name(), query.sha256.clone())),
        })
    }

    /// What a file of these rows says about where they come from.
    pub fn metadata(&self) -> Vec<(String, String)> {
        let mut metadata = vec![("ragsql.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned())];
        if let Some((name, sha256)) = &self.source {
            metadata.push(("ragsql.query".to_owned(), name.clone()));
            metadata.push(("ragsql.query_sha256".to_owned(), sha256.clone()));
        }
        metadata
    }
}

/// Splits `name=value` words.
pub fn named_values(words: &[String]) -> Result<Vec<(String, String)>> {
    let pair = |word: &String| match word.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Failure::new(Kind::Input, format!("`{word}` is no parameter; write it as name=value"))),
    };
    words.iter().map(pair).collect()
}

/// The query of a name: `rankings/standings`, `standings` when only one is called so, either with `@1` for a version.
pub fn find<'a>(context: &'a Context, name: &str) -> Result<&'a Query> {
    let catalogue = &context.catalogue;
    let (base, version) = name.split_once('@').map_or((name, None), |(base, version)| (base, Some(version)));
    if base.contains('/') {
        return Ok(catalogue.query(name)?);
    }
    let called_so = |query: &&Query| query.name.rsplit('/').next() == Some(base);
    let names: BTreeSet<&str> = answering(context).filter(called_so).map(|query| query.name.as_str()).collect();
    match names.iter().collect::<Vec<_>>().as_slice() {
        [only] => {
            let full = version.map_or_else(|| (**only).to_owned(), |version| format!("{only}@{version}"));
            Ok(catalogue.query(&full)?)
        }
        [] => {
            let last = |query: &Query| query.name.rsplit('/').next().unwrap_or_default().to_owned();
            let close = answering(context)
                .map(|query| (strsim::jaro_winkler(base, &last(query)), query))
                .filter(|(similarity, _)| *similarity > 0.8)
                .max_by(|left, right| left.0.total_cmp(&right.0));
            let suggestion = close.map(|(_, query)| last(query));
            let failure = Failure::from(Error::UnknownQuery { name: name.to_owned(), suggestion });
            Err(failure.hint("`.queries` at the prompt lists them; the files stand under sql/"))
        }
        several => {
            let names: Vec<String> = several.iter().map(|name| format!("@{name}")).collect();
            Err(Failure::new(Kind::Input, format!("several queries are called `{base}`: {}", names.join(", "))))
        }
    }
}

/// Queries that answer something, in order of name; the newest version of each comes last.
fn answering(context: &Context) -> impl Iterator<Item = &Query> {
    context.catalogue.iter().filter(|query| FOLDERS.iter().any(|folder| query.name.starts_with(folder)))
}

/// Names that complete after `@`.
pub fn names(context: &Context) -> BTreeSet<String> {
    answering(context).map(|query| query.name.clone()).collect()
}

/// Gives every parameter of a query its value: as given, or as the header says. Unknown ones are refused with the known.
fn typed(query: &Query, given: &[(String, String)]) -> Result<Vec<(String, Parameter)>> {
    let header = query.header()?;
    let known: Vec<&str> = header.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    for (name, _) in given {
        if !known.contains(&name.as_str()) {
            let failure = Failure::new(Kind::Input, format!("`{}` has no parameter `{name}`", query.full_name()));
            return Err(match known.is_empty() {
                true => failure.hint("it takes none"),
                false => failure.hint(format!("it takes {}", known.join(", "))),
            });
        }
    }
    let value = |parameter: &catalogue::Parameter| {
        let given = given.iter().rev().find(|(name, _)| *name == parameter.name);
        let value = match given {
            Some((_, text)) => value_of(query, parameter, text)?,
            None => query.default_value(&parameter.name)?,
        };
        Ok((parameter.name.clone(), value))
    };
    header.parameters.iter().map(value).collect()
}

/// A value in the type of its parameter. A text is taken to the letter; anything else may be `null`.
fn value_of(query: &Query, parameter: &catalogue::Parameter, text: &str) -> Result<Parameter> {
    let wrong = |expected: &str| {
        let message = format!(
            "`{text}` is no value for `{}` of `{}`, which is {expected}: {}",
            parameter.name,
            query.full_name(),
            parameter.meaning
        );
        Failure::new(Kind::Input, message)
    };
    match parameter.kind.as_str() {
        "varchar" => Ok(Parameter::Text(text.to_owned())),
        _ if text == "null" => Ok(Parameter::Null),
        "bigint" | "integer" => text.parse().map(Parameter::Integer).map_err(|_| wrong("an integer")),
        "double" => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Parameter::Float(number)),
            _ => Err(wrong("a number")),
        },
        _ => Ok(Parameter::Text(text.to_owned())),
    }
}

/// The header of a query as help.
pub fn explained(context: &Context, name: &str) -> Result<String> {
    let query = find(context, name.trim_start_matches('@'))?;
    let header = query.header()?;
    let width = ui::width();
    let parameters: Vec<Vec<String>> = header
        .parameters
        .iter()
        .map(|parameter| {
            let default = parameter.default.as_ref().map_or("required".to_owned(), |value| format!("default {value}"));
            vec![format!("  {}", parameter.name), parameter.kind.clone(), default, parameter.meaning.clone()]
        })
        .collect();
    let columns: Vec<Vec<String>> = header
        .columns
        .iter()
        .map(|column| {
            vec![format!("  {}", column.name), column.kind.clone(), column.unit.clone(), column.meaning.clone()]
        })
        .collect();
    let titled = |first: &str, third: &str| {
        [Column::left(first), Column::left("type"), Column::left(third), Column::left("meaning")]
    };
    let shown = |rows: &[Vec<String>], first: &str, third: &str| match rows.is_empty() {
        true => None,
        false => Some(table(&titled(first, third), rows, width)),
    };
    let values = json!({
        "name": query.full_name(),
        "file": query.file,
        "sha256": query.sha256,
        "purpose": header.purpose,
        "grain": header.grain,
        "reads": header.reads.join(", "),
        "order": header.order.join(", "),
        "nulls": header.nulls,
        "parameters": shown(&parameters, "  parameter", "default"),
        "columns": shown(&columns, "  column", "unit"),
    });
    Ok(context.templates.render("terminal/query.txt", &values)?)
}

/// The catalogue as a table, newest versions only; `wanted` picks names that hold it.
pub fn listed(context: &Context, wanted: &str) -> Result<String> {
    let mut rows = Vec::new();
    for name in names(context).iter().filter(|name| name.contains(wanted)) {
        let query = context.catalogue.query(name)?;
        rows.push(vec![format!("@{}", query.full_name()), query.header()?.purpose]);
    }
    Ok(table(&[Column::left("query"), Column::left("purpose")], &rows, ui::width()))
}
