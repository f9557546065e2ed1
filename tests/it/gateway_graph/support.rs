//! Scripted models of the new roles, and a corpus whose graph is known.

pub use crate::gateway::support::{Served, Site, alias};
use ragsql::gateway::Config;
use ragsql::gateway::roles::{
    BlurbRequest, BlurbWriter, Context, ExtractedEntity, ExtractedRelation, Extraction, Extractor, Generated,
    Generator, KeywordFinder, Keywords, RoleError, RoleFuture,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A config whose aliases are those of the contextual and the graph approaches.
pub fn config(site: &Site) -> Config {
    let mut config = site.config();
    for (name, base) in [
        ("contextual-rag", "contextual-rag"),
        ("graph-rag", "graph-rag"),
        ("graph-rag-fast", "graph-rag"),
        ("graph-rag-wide", "graph-rag"),
        ("graph-rag-rerank", "graph-rag"),
    ] {
        config.aliases.push(alias(name, base, "default", &[]));
    }
    config
}

fn failure(message: &str) -> RoleError {
    RoleError::new("scripted/model", message)
}

/// Counts calls and fails from a given one on.
#[derive(Default)]
pub struct Tally {
    pub calls: AtomicUsize,
    /// Calls from this number on fail, counted from 1; 0 for none.
    pub fails_from: AtomicUsize,
}

impl Tally {
    fn call(&self) -> Result<usize, RoleError> {
        let number = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let fails_from = self.fails_from.load(Ordering::SeqCst);
        if fails_from > 0 && number >= fails_from { Err(failure("status 503")) } else { Ok(number) }
    }
}

/// Writes `About <title>.` with blanks around, and keeps what it was asked.
#[derive(Default)]
pub struct Blurbs {
    pub tally: Tally,
    pub asked: Mutex<Vec<BlurbRequest>>,
    pub concurrency: usize,
}

impl BlurbWriter for Blurbs {
    fn name(&self) -> &str {
        "scripted/blurbs"
    }
    fn max_concurrency(&self) -> usize {
        self.concurrency
    }
    fn blurb<'a>(&'a self, request: &'a BlurbRequest) -> RoleFuture<'a, String> {
        Box::pin(async move {
            let number = self.tally.call()?;
            // Earlier calls answer later, so that nothing may rely on the order of replies.
            for _ in number..10 {
                tokio::task::yield_now().await;
            }
            self.asked.lock().unwrap().push(request.clone());
            Ok(format!("  About {}. \n", request.title))
        })
    }
}

/// Finds what a script says about the first words of a chunk.
#[derive(Default)]
pub struct Script {
    pub tally: Tally,
    pub by_word: BTreeMap<&'static str, Extraction>,
}

impl Extractor for Script {
    fn name(&self) -> &str {
        "scripted/extractor"
    }
    fn max_concurrency(&self) -> usize {
        3
    }
    fn extract<'a>(&'a self, _: &'a str, text: &'a str) -> RoleFuture<'a, Extraction> {
        Box::pin(async move {
            self.tally.call()?;
            Ok(self
                .by_word
                .iter()
                .find(|(word, _)| text.contains(*word))
                .map(|(_, found)| found.clone())
                .unwrap_or_default())
        })
    }
}

/// Gives the same keywords for every question.
pub struct Fixed(pub Keywords);

impl KeywordFinder for Fixed {
    fn name(&self) -> &str {
        "scripted/keywords"
    }
    fn keywords<'a>(&'a self, _: &'a str) -> RoleFuture<'a, Keywords> {
        Box::pin(async move { Ok(self.0.clone()) })
    }
}

/// Answers `ok` and keeps the contexts it saw.
#[derive(Default)]
pub struct Witness(pub Mutex<Vec<Context>>);

impl Generator for Witness {
    fn name(&self) -> &str {
        "scripted/witness"
    }
    fn generate<'a>(&'a self, _: &'a str, contexts: &'a [Context]) -> RoleFuture<'a, Generated> {
        Box::pin(async move {
            *self.0.lock().unwrap() = contexts.to_vec();
            Ok(Generated { answer: "ok".to_owned(), ..Generated::default() })
        })
    }
}

pub fn entity(name: &str, kind: &str, aliases: &[&str], description: &str) -> ExtractedEntity {
    ExtractedEntity {
        name: name.to_owned(),
        kind: kind.to_owned(),
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
        description: description.to_owned(),
    }
}

pub fn relation(source: &str, kind: &str, target: &str, description: &str) -> ExtractedRelation {
    let [source, kind, target, description] = [source, kind, target, description].map(str::to_owned);
    ExtractedRelation { source, target, kind, description }
}

/// Five short documents: Ada leads Arvo, Arvo owns Lark, Lark sails to Tern Island, Ole leads Heron, and one about bread.
pub fn islands() -> Site {
    let site = Site::empty();
    site.write("1-ada.md", b"Ada Reed, whom all call Skipper, runs a company by the water.");
    site.write("2-arvo.md", b"The company Arvo is the owner of a ferry.");
    site.write("3-lark.md", b"Lark crosses the sound twice a day.");
    site.write("4-ole.md", b"Ole Brandt repairs engines for Heron.");
    site.write("5-bread.md", b"Rye bread needs time, water and salt.");
    site
}

/// What the extractor finds in [`islands`].
pub fn island_script() -> Script {
    let found = |entities, relations| Extraction { entities, relations, unreadable: None };
    let by_word = BTreeMap::from([
        (
            "Skipper",
            found(
                vec![
                    entity("Ada Reed", "person", &["Skipper"], "Ada Reed is a skipper."),
                    entity("Arvo", "company", &[], ""),
                ],
                vec![relation("Skipper", "leads", "ARVO", "Ada Reed leads the company Arvo since 2019.")],
            ),
        ),
        (
            "owner",
            found(
                vec![entity("Arvo", "company", &[], "Arvo is a ferry company."), entity("The Lark", "ferry", &[], "")],
                vec![relation("Arvo", "owns", "Lark", "Arvo owns the ferry Lark.")],
            ),
        ),
        (
            "crosses",
            found(
                vec![entity("Lark", "ferry", &[], "Lark is a ferry."), entity("Tern Island", "place", &[], "")],
                vec![relation("Lark", "sails to", "Tern Island", "Lark sails to Tern Island.")],
            ),
        ),
        (
            "engines",
            found(
                vec![entity("Ole Brandt", "person", &[], "Ole Brandt repairs engines.")],
                vec![relation("Ole Brandt", "works for", "Heron", "Ole Brandt works for Heron.")],
            ),
        ),
    ]);
    Script { by_word, ..Script::default() }
}

/// A served gateway over [`islands`], ingested, with scripted models.
pub async fn served_islands(site: &Site, keywords: Keywords) -> (Served, Arc<Witness>) {
    let mut config = config(site);
    let witness = Arc::new(Witness::default());
    config.roles.extract = Arc::new(island_script());
    config.roles.keyword = Arc::new(Fixed(keywords));
    config.roles.query = Arc::clone(&witness) as Arc<dyn Generator>;
    (Served::ready(config).await, witness)
}

/// Rows of a statement over a closed index, each as one text.
pub fn rows(site: &Site, statement: &str) -> Vec<String> {
    let connection = duckdb::Connection::open(site.index()).unwrap();
    let mut statement = connection.prepare(statement).unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(Result::unwrap).collect()
}
