//! Queries into templates: rows become template values, templates become text.
//!
//! Reads a warehouse and the templates; hands on (path, text). How values are escaped is said in `environment`.

use super::environment::environment;
use super::{Format, Page, PageQuery, Pages, assets, provenance};
use crate::report::templates::from_json;
use crate::report::{Error, Result};
use crate::warehouse::{Parameter, Row, Table, Value as Cell, Warehouse};
use minijinja::Environment;
use minijinja::value::{Enumerator, Object, ObjectRepr, Value};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Pages of one kind whose rows are fetched together.
const PAGES_AT_ONCE: usize = 1000;

type Map = BTreeMap<String, Value>;

/// One page kind, ready to be rendered.
pub struct Engine<'run, 'catalogue> {
    pages: &'run Pages,
    warehouse: &'run Warehouse<'catalogue>,
    page: &'run Page,
    given: &'run [(&'run str, Parameter)],
    environment: Environment<'run>,
    footer: OnceCell<String>,
}

impl<'run, 'catalogue> Engine<'run, 'catalogue> {
    /// Prepares the templates and runs the checks of the page.
    pub fn new(
        pages: &'run Pages,
        warehouse: &'run Warehouse<'catalogue>,
        page: &'run Page,
        given: &'run [(&'run str, Parameter)],
    ) -> Result<Self> {
        for script in &page.prepare {
            warehouse.prepare(script)?;
        }
        for used in &page.queries {
            let parameters = warehouse.catalogue().query(&used.query)?.header()?.parameters;
            let stray = used.fixed.iter().find(|(name, _)| !parameters.iter().any(|known| known.name == *name));
            if let Some((name, _)) = stray {
                let reason = format!("`{}` has no parameter `{name}`", used.query);
                return Err(Error::Page { template: format!("pages/{}", page.file), reason });
            }
        }
        for check in &page.checks {
            let found = warehouse.query(check, given)?;
            let messages = found.rows.iter().map(|row| Ok(row.text("message")?.to_owned()));
            let messages: Vec<String> = messages.collect::<Result<_>>()?;
            if !messages.is_empty() {
                return Err(Error::Check { check: warehouse.catalogue().query(check)?.full_name(), messages });
            }
        }
        Ok(Self { pages, warehouse, page, given, environment: environment(pages)?, footer: OnceCell::new() })
    }

    /// Renders every page of this kind.
    pub fn render(&self, write: &mut dyn FnMut(String, String) -> Result<()>) -> Result<()> {
        let mut base = Map::new();
        let given = self.given.iter().map(|(name, value)| ((*name).to_owned(), given_value(value)));
        base.insert("given".to_owned(), Value::from(given.collect::<Map>()));
        base.insert("provenance".to_owned(), provenance::value(self.pages, self.page, self.warehouse, self.given)?);
        let Some(each) = &self.page.each else {
            for (query, table) in self.query_all(self.given)? {
                base.insert(query.alias.clone(), shaped(rows(&table), query.by.as_deref())?);
            }
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
        let mut tables: Vec<(&PageQuery, BTreeMap<String, Vec<Value>>)> = Vec::new();
        for (query, table) in self.query_all(&values)? {
            let mut by_page: BTreeMap<String, Vec<Value>> = BTreeMap::new();
            for row in &table.rows {
                by_page.entry(row.text("page_key")?.to_owned()).or_default().push(row_value(&table.columns, row));
            }
            tables.push((query, by_page));
        }
        for row in part {
            let key = row.text("page_key")?;
            let mut context = base.clone();
            for (query, by_page) in &mut tables {
                let rows = by_page.remove(key).unwrap_or_default();
                context.insert(query.alias.clone(), shaped(rows, query.by.as_deref())?);
            }
            context.insert("page".to_owned(), row_value(columns, row));
            let path = self.environment.render_str(&self.page.output, Value::from(context.clone()));
            write(path.map_err(|error| self.explain(&error))?, self.text(context)?)?;
        }
        Ok(())
    }

    /// The rows of every query; a statement that several names ask for runs once.
    fn query_all(&self, values: &[(&str, Parameter)]) -> Result<Vec<(&PageQuery, Arc<Table>)>> {
        let mut known: BTreeMap<(&str, &[(String, String)]), Arc<Table>> = BTreeMap::new();
        let mut tables = Vec::new();
        for used in &self.page.queries {
            let key = (used.query.as_str(), used.fixed.as_slice());
            let table = match known.get(&key) {
                Some(table) => Arc::clone(table),
                None => {
                    let fixed = used.fixed.iter().map(|(name, value)| (name.as_str(), value.as_str().into()));
                    let values: Vec<(&str, Parameter)> = fixed.chain(values.iter().cloned()).collect();
                    Arc::new(self.warehouse.query(&used.query, &values)?)
                }
            };
            known.insert(key, Arc::clone(&table));
            tables.push((used, table));
        }
        Ok(tables)
    }

    fn text(&self, context: Map) -> Result<String> {
        let template = self.environment.get_template(&self.page.file).map_err(|error| self.explain(&error))?;
        if self.page.format == Format::Html {
            let body = template.render(Value::from(context.clone())).map_err(|error| self.explain(&error))?;
            let mut whole = context;
            whole.insert("body".to_owned(), Value::from_safe_string(body));
            whole.insert("assets".to_owned(), assets::value(self.pages)?);
            let document = self.environment.get_template("partials/document.html.j2");
            return document.and_then(|page| page.render(Value::from(whole))).map_err(|error| self.explain(&error));
        }
        let footer = self.footer(&context)?;
        let body = template.render(Value::from(context)).map_err(|error| self.explain(&error))?;
        Ok(format!("{}\n\n{footer}\n", body.trim()))
    }

    /// What every page of this kind ends with; the same for all of them, so it is laid out once.
    fn footer(&self, context: &Map) -> Result<&str> {
        if let Some(footer) = self.footer.get() {
            return Ok(footer);
        }
        let values: Map =
            context.iter().filter(|(name, _)| *name == "provenance").map(|(n, v)| (n.clone(), v.clone())).collect();
        let footer = self.environment.get_template("partials/provenance.md.j2");
        let footer =
            footer.and_then(|template| template.render(Value::from(values))).map_err(|error| self.explain(&error))?;
        Ok(self.footer.get_or_init(|| footer.trim().to_owned()))
    }

    fn explain(&self, error: &minijinja::Error) -> Error {
        let template = format!("pages/{}", error.name().unwrap_or(&self.page.file));
        let line = error.line().map(|line| format!("line {line}: ")).unwrap_or_default();
        let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
        Error::Page { template, reason: format!("{line}{}{detail}", error.kind()) }
    }
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

/// A page without queries: a template with given values, in the frame of HTML pages.
pub fn view(pages: &Pages, file: &str, title: &str, values: &serde_json::Value) -> Result<String> {
    let wrong = |error: minijinja::Error| Error::Page { template: format!("pages/{file}"), reason: error.to_string() };
    let environment = environment(pages)?;
    let body = environment.get_template(file).and_then(|template| template.render(from_json(values))).map_err(wrong)?;
    let given = Value::from([("title".to_owned(), Value::from(title))].into_iter().collect::<Map>());
    let frame = [
        ("given".to_owned(), given),
        ("body".to_owned(), Value::from_safe_string(body)),
        ("assets".to_owned(), assets::value(pages)?),
    ];
    let document = environment.get_template("partials/document.html.j2");
    document.and_then(|page| page.render(Value::from(frame.into_iter().collect::<Map>()))).map_err(wrong)
}

/// Rows as they are, or cut into stretches of equal neighbours in one column: each has a `key` and its `rows`.
fn shaped(rows: Vec<Value>, by: Option<&str>) -> Result<Value> {
    let Some(by) = by else { return Ok(Value::from(rows)) };
    let key_of = |row: &Value| row.get_attr(by).unwrap_or_default();
    if rows.first().is_some_and(|row| key_of(row).is_undefined()) {
        let (column, found) = (by.to_owned(), "absent".to_owned());
        return Err(crate::warehouse::Error::Column { column, found, expected: "there" }.into());
    }
    let mut stretches = Stretches::default();
    for rows in rows.chunk_by(|one, other| key_of(one) == key_of(other)) {
        let key = rows.first().map(key_of).unwrap_or_default();
        let rows = Value::from(rows.to_vec());
        stretches.by_key.insert(key.to_string(), rows.clone());
        let entries = [("key".to_owned(), key), ("rows".to_owned(), rows)];
        stretches.in_order.push(Value::from(entries.into_iter().collect::<Map>()));
    }
    Ok(Value::from_object(stretches))
}

/// Stretches of rows in their order; `stretches[KEY]` are the rows of one, none when there is no such key.
#[derive(Debug, Default)]
struct Stretches {
    in_order: Vec<Value>,
    by_key: BTreeMap<String, Value>,
}

impl Object for Stretches {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        match key.as_str() {
            Some(key) => Some(self.by_key.get(key).cloned().unwrap_or_else(|| Value::from(Vec::<Value>::new()))),
            None => self.in_order.get(key.as_usize()?).cloned(),
        }
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.in_order.len())
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
