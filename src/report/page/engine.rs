//! Queries into pages: statements give rows, rows become pages, several pages at a time.
//!
//! Reads a warehouse and the templates; hands on (path, text). The thread of the caller asks the warehouse for the rows of
//! the next pages while others lay out those that are there. How values are escaped is said in `environment`.

use super::renderer::Renderer;
use super::rows::{Map, given_value, row_value, rows, shaped};
use super::{Page, PageQuery, Pages, provenance};
use crate::report::{Error, Result};
use crate::warehouse::{Parameter, Row, Table, Value as Cell, Warehouse};
use minijinja::value::Value;
use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Pages whose rows are fetched together at first; later parts have as many as [`PART_BYTES`] allow.
const FIRST_PART_PAGES: usize = 200;

/// Bytes that the texts of a part should have: a few large parts, because every part asks each statement again.
const PART_BYTES: usize = 96 << 20;

/// Pages that a thread takes at once.
const BATCH_PAGES: usize = 32;

/// Takes (relative path, text) of a page; several threads may call it at once.
pub type Write<'run> = &'run (dyn Fn(String, String) -> Result<()> + Sync);

/// One page kind, whose checks have passed.
pub struct Engine<'run, 'catalogue> {
    pages: &'run Pages,
    warehouse: &'run Warehouse<'catalogue>,
    page: &'run Page,
    given: &'run [(&'run str, Parameter)],
}

impl<'run, 'catalogue> Engine<'run, 'catalogue> {
    /// Runs the scripts and the checks of the page.
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
        Ok(Self { pages, warehouse, page, given })
    }

    /// Renders every page of this kind, in no particular order.
    pub fn render(&self, write: Write) -> Result<()> {
        let given = self.given.iter().map(|(name, value)| ((*name).to_owned(), given_value(value)));
        let provenance = provenance::value(self.pages, self.page, self.warehouse, self.given)?;
        let shared = [("given".to_owned(), Value::from(given.collect::<Map>())), ("provenance".to_owned(), provenance)];
        let renderer = Renderer::new(self.pages, self.page, shared.into_iter().collect())?;
        match &self.page.each {
            None => {
                let mut own = Map::new();
                for (query, table) in self.query_all(self.given)? {
                    own.insert(query.alias.clone(), shaped(rows(&table), query.by.as_deref())?);
                }
                let (path, text) = renderer.lay_out(own)?;
                write(path, text)
            }
            Some(each) => self.render_each(&self.warehouse.query(each, self.given)?, &renderer, write),
        }
    }

    /// Renders a page for every row of `pages`, which come in order of `page_key`.
    fn render_each(&self, pages: &Table, renderer: &Renderer, write: Write) -> Result<()> {
        let threads_n = std::thread::available_parallelism().map_or(1, usize::from);
        let (batches, waiting) = sync_channel(threads_n);
        // Only the threads hold the receiving end: when all of them have failed, nobody waits for them.
        let waiting = Arc::new(Mutex::new(waiting));
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads_n)
                .map(|_| {
                    let waiting = Arc::clone(&waiting);
                    scope.spawn(move || lay_out_all(renderer, &waiting, write))
                })
                .collect();
            drop(waiting);
            let fetched = self.fetch_parts(pages, batches);
            let laid_out = threads.into_iter().map(|thread| match thread.join() {
                Ok(ended) => ended,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            laid_out.collect::<Result<Vec<()>>>().and(fetched)
        })
    }

    /// Fetches the rows of all pages, part by part, and hands them on in batches until nobody takes them.
    fn fetch_parts(&self, pages: &Table, batches: SyncSender<Vec<Map>>) -> Result<()> {
        let mut rest = pages.rows.as_slice();
        let mut part_pages = FIRST_PART_PAGES;
        while !rest.is_empty() {
            let (part, later) = rest.split_at(part_pages.min(rest.len()));
            let (mut fetched, bytes) = self.fetch(&pages.columns, part)?;
            part_pages = (part.len() * PART_BYTES / bytes.max(1)).clamp(1, 4 * part.len());
            rest = later;
            while !fetched.is_empty() {
                let batch = fetched.drain(..fetched.len().min(BATCH_PAGES)).collect();
                if batches.send(batch).is_err() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// What the templates of some pages read, and how many bytes of text that is.
    fn fetch(&self, columns: &Arc<Vec<String>>, part: &[Row]) -> Result<(VecDeque<Map>, usize)> {
        let (Some(first), Some(last)) = (part.first(), part.last()) else { return Ok((VecDeque::new(), 0)) };
        let mut values: Vec<(&str, Parameter)> = self.given.to_vec();
        values.push(("page_from", first.text("page_key")?.into()));
        values.push(("page_to", last.text("page_key")?.into()));
        let tables = self.query_all(&values)?;
        let mut bytes = 0;
        let mut by_query: Vec<(&PageQuery, HashMap<&str, Vec<Value>>)> = Vec::new();
        for (query, table) in &tables {
            let mut by_page: HashMap<&str, Vec<Value>> = HashMap::new();
            for row in &table.rows {
                bytes += text_bytes(row);
                by_page.entry(row.text("page_key")?).or_default().push(row_value(&table.columns, row));
            }
            by_query.push((query, by_page));
        }
        let mut fetched = VecDeque::with_capacity(part.len());
        for row in part {
            let key = row.text("page_key")?;
            let mut own = Map::from([("page".to_owned(), row_value(columns, row))]);
            for (query, by_page) in &mut by_query {
                let rows = by_page.remove(key).unwrap_or_default();
                own.insert(query.alias.clone(), shaped(rows, query.by.as_deref())?);
            }
            fetched.push_back(own);
        }
        Ok((fetched, bytes))
    }

    /// The rows of every query; a statement that several names ask for runs once.
    fn query_all(&self, values: &[(&str, Parameter)]) -> Result<Vec<(&PageQuery, Arc<Table>)>> {
        let mut tables: Vec<(&PageQuery, Arc<Table>)> = Vec::new();
        for used in &self.page.queries {
            let known = tables.iter().find(|(known, _)| known.query == used.query && known.fixed == used.fixed);
            let table = match known {
                Some((_, table)) => Arc::clone(table),
                None => {
                    let fixed = used.fixed.iter().map(|(name, value)| (name.as_str(), value.as_str().into()));
                    let values: Vec<(&str, Parameter)> = fixed.chain(values.iter().cloned()).collect();
                    Arc::new(self.warehouse.query(&used.query, &values)?)
                }
            };
            tables.push((used, table));
        }
        Ok(tables)
    }
}

/// Lays out batches of pages until no more come.
fn lay_out_all(renderer: &Renderer, waiting: &Mutex<Receiver<Vec<Map>>>, write: Write) -> Result<()> {
    loop {
        let batch = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(batch) = batch else { return Ok(()) };
        for own in batch {
            let (path, text) = renderer.lay_out(own)?;
            write(path, text)?;
        }
    }
}

fn text_bytes(row: &Row) -> usize {
    row.values.iter().map(|cell| if let Cell::Text(text) = cell { text.len() } else { 0 }).sum()
}
