//! Queries into templates: rows become template values, templates become text.
//!
//! Reads a warehouse and the templates; hands on (path, text). Every value is escaped for Markdown unless the template
//! says `|html`, `|code` or `|fenced`, so hostile text cannot become markup by omission.

use super::{Page, Pages, provenance};
use crate::report::{Error, Result, escape};
use crate::warehouse::{Parameter, Row, Table, Value as Cell, Warehouse};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Object, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Pages of one kind whose rows are fetched together.
const PAGES_AT_ONCE: usize = 500;

type Map = BTreeMap<String, Value>;

/// One page kind, ready to be rendered.
pub struct Engine<'run, 'catalogue> {
    pages: &'run Pages,
    warehouse: &'run Warehouse<'catalogue>,
    page: &'run Page,
    given: &'run [(&'run str, Parameter)],
    environment: Environment<'run>,
}

impl<'run, 'catalogue> Engine<'run, 'catalogue> {
    /// Prepares the templates and runs the checks of the page.
    pub fn new(
        pages: &'run Pages,
        warehouse: &'run Warehouse<'catalogue>,
        page: &'run Page,
        given: &'run [(&'run str, Parameter)],
    ) -> Result<Self> {
        for check in &page.checks {
            let found = warehouse.query(check, given)?;
            let messages = found.rows.iter().map(|row| Ok(row.text("message")?.to_owned()));
            let messages: Vec<String> = messages.collect::<Result<_>>()?;
            if !messages.is_empty() {
                return Err(Error::Check { check: warehouse.catalogue().query(check)?.full_name(), messages });
            }
        }
        Ok(Self { pages, warehouse, page, given, environment: environment(pages)? })
    }

    /// Renders every page of this kind.
    pub fn render(&self, write: &mut dyn FnMut(String, String) -> Result<()>) -> Result<()> {
        let mut base = Map::new();
        let given = self.given.iter().map(|(name, value)| ((*name).to_owned(), given_value(value)));
        base.insert("given".to_owned(), Value::from(given.collect::<Map>()));
        base.insert("provenance".to_owned(), provenance::value(self.pages, self.page, self.warehouse, self.given)?);
        let Some(each) = &self.page.each else {
            let values = self.query_all(self.given, |table| Ok(Value::from(rows(&table))))?;
            base.extend(values);
            return write(self.page.output.clone(), self.text(base)?);
        };
        let pages = self.warehouse.query(each, self.given)?;
        for part in pages.rows.chunks(PAGES_AT_ONCE) {
            self.render_part(&base, &pages.columns, part, write)?;
        }
        Ok(())
    }

    /// Renders some pages of an `each` query: its rows come in order of `page_key`.
    fn render_part(
        &self,
        base: &Map,
        columns: &Arc<Vec<String>>,
        part: &[Row],
        write: &mut dyn FnMut(String, String) -> Result<()>,
    ) -> Result<()> {
        let (Some(first), Some(last)) = (part.first(), part.last()) else { return Ok(()) };
        let mut values: Vec<(&str, Parameter)> = self.given.to_vec();
        values.push(("page_from", first.text("page_key")?.into()));
        values.push(("page_to", last.text("page_key")?.into()));
        let mut tables: BTreeMap<String, BTreeMap<String, Vec<Value>>> = BTreeMap::new();
        self.query_all(&values, Ok)?.into_iter().try_for_each(|(alias, table)| {
            let by_page = tables.entry(alias).or_default();
            for row in &table.rows {
                by_page.entry(row.text("page_key")?.to_owned()).or_default().push(row_value(&table.columns, row));
            }
            Ok::<(), Error>(())
        })?;
        for row in part {
            let key = row.text("page_key")?;
            let mut context = base.clone();
            for (alias, by_page) in &mut tables {
                context.insert(alias.clone(), Value::from(by_page.remove(key).unwrap_or_default()));
            }
            context.insert("page".to_owned(), row_value(columns, row));
            let path = self.environment.render_str(&self.page.output, Value::from(context.clone()));
            write(path.map_err(|error| self.explain(&error))?, self.text(context)?)?;
        }
        Ok(())
    }

    fn query_all<T>(
        &self,
        values: &[(&str, Parameter)],
        shape: impl Fn(Table) -> Result<T>,
    ) -> Result<Vec<(String, T)>> {
        let queries = self.page.queries.iter();
        queries.map(|(alias, query)| Ok((alias.clone(), shape(self.warehouse.query(query, values)?)?))).collect()
    }

    fn text(&self, context: Map) -> Result<String> {
        let file = format!("{}.md.j2", self.page.name);
        let template = self.environment.get_template(&file).map_err(|error| self.explain(&error))?;
        let context = Value::from(context);
        let body = template.render(context.clone()).map_err(|error| self.explain(&error))?;
        let footer = self.environment.get_template("partials/provenance.md.j2");
        let footer = footer.and_then(|template| template.render(context)).map_err(|error| self.explain(&error))?;
        Ok(format!("{}\n\n{}\n", body.trim(), footer.trim()))
    }

    fn explain(&self, error: &minijinja::Error) -> Error {
        let template = format!("pages/{}", error.name().unwrap_or(&self.page.name));
        let line = error.line().map(|line| format!("line {line}: ")).unwrap_or_default();
        let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
        Error::Page { template, reason: format!("{line}{}{detail}", error.kind()) }
    }
}

fn environment(pages: &Pages) -> Result<Environment<'_>> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment
        .set_syntax(syntax.map_err(|error| Error::Page { template: "pages".to_owned(), reason: error.to_string() })?);
    environment.set_auto_escape_callback(|name| match name.ends_with(".md.j2") {
        true => AutoEscape::Custom("markdown".into()),
        false => AutoEscape::None,
    });
    environment.set_formatter(|output, state, value| {
        let is_markdown = matches!(state.auto_escape(), AutoEscape::Custom(_));
        match value.as_str().filter(|_| is_markdown && !value.is_safe()) {
            Some(text) => output.write_str(&escape::markdown(text)).map_err(minijinja::Error::from),
            None if value.is_none() => output.write_str("-").map_err(minijinja::Error::from),
            None => minijinja::escape_formatter(output, state, value)
                .or_else(|_| output.write_str(&value.to_string()).map_err(minijinja::Error::from)),
        }
    });
    let text = |value: &Value| if value.is_none() { "-".to_owned() } else { value.to_string() };
    environment.add_filter("html", move |value: &Value| Value::from_safe_string(escape::html(&text(value))));
    environment.add_filter("code", move |value: &Value| Value::from_safe_string(escape::code(&text(value))));
    environment.add_filter("fenced", move |value: &Value| Value::from_safe_string(escape::fenced(&text(value))));
    for (name, source) in &pages.sources {
        let added = environment.add_template_owned(name.as_str(), source.text.as_str());
        added.map_err(|error| Error::Page {
            template: format!("pages/{name}"),
            reason: format!("line {}: {error}", error.line().unwrap_or(0)),
        })?;
    }
    Ok(environment)
}

/// A row as templates read it: by the names of its columns, which all rows of a table share.
#[derive(Debug)]
struct TemplateRow {
    columns: Arc<Vec<String>>,
    cells: Vec<Value>,
}

impl Object for TemplateRow {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let wanted = key.as_str()?;
        let place = self.columns.iter().position(|column| column == wanted)?;
        self.cells.get(place).cloned()
    }
}

fn rows(table: &Table) -> Vec<Value> {
    table.rows.iter().map(|row| row_value(&table.columns, row)).collect()
}

fn row_value(columns: &Arc<Vec<String>>, row: &Row) -> Value {
    let cells = row.values.iter().map(cell_value).collect();
    Value::from_object(TemplateRow { columns: columns.clone(), cells })
}

fn cell_value(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::from(()),
        Cell::Bool(flag) => Value::from(*flag),
        Cell::Integer(number) => Value::from(*number),
        Cell::Float(number) => Value::from(crate::json::float_text(*number)),
        Cell::Text(text) => Value::from(text.as_str()),
    }
}

fn given_value(parameter: &Parameter) -> Value {
    match parameter {
        Parameter::Null => Value::from(()),
        Parameter::Text(text) => Value::from(text.as_str()),
        Parameter::Integer(number) => Value::from(*number),
        Parameter::Float(number) => Value::from(crate::json::float_text(*number)),
    }
}
