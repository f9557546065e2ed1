//! Turns facts into dossiers: which relations each one names, and in what order.
//!
//! Reads facts and the chosen slice, gives file names with texts. Every sentence stands in a template under
//! `templates/corpus/attack/`; this module counts, orders and cuts, because a template must not.

use super::AttackError;
use super::facts::{Entity, Facts, Verb};
use super::identity::{AttackId, Kind};
use super::markdown;
use include_dir::{Dir, include_dir};
use minijinja::{Environment, Value, context};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

static EMBEDDED: Dir = include_dir!("$CARGO_MANIFEST_DIR/templates/corpus");

/// The most related objects of a kind that a dossier names; the total is always stated.
///
/// Not less than the kind's share of a default build, so that there two dossiers of related objects name each other.
fn most_named(reader: Kind, related: Kind) -> usize {
    match related {
        Kind::Group => 18,
        Kind::Software => 16,
        Kind::Technique if reader == Kind::Mitigation => 40,
        Kind::Technique => 20,
        Kind::Campaign => 8,
        Kind::Mitigation => 10,
    }
}

/// Renders the dossier of every chosen object: file name to text.
pub fn render(
    facts: &Facts,
    slice: &BTreeSet<AttackId>,
    templates: Option<&Path>,
) -> Result<BTreeMap<String, String>, AttackError> {
    let environment = environment(templates);
    let neighbours = Neighbours::of(facts);
    let mut files = BTreeMap::new();
    for id in slice {
        let entity = &facts.entities[id];
        let name = format!("attack/{}.md", id.kind().word());
        let render = |name: &str| environment.get_template(name)?.render(view(facts, slice, &neighbours, entity));
        let text = render(&name)
            .map_err(|error| AttackError::Template { name: format!("corpus/{name}"), message: explain(&error) })?;
        files.insert(file_name(entity), text);
    }
    Ok(files)
}

/// The name of an object's file: identifier, hyphen, name, for instance `t1059.001-powershell.md`.
///
/// No two objects share one, because everything before the first hyphen is the identifier.
pub fn file_name(entity: &Entity) -> String {
    let id = entity.id.as_str().to_ascii_lowercase();
    match markdown::slug(&entity.name) {
        slug if slug.is_empty() || slug == id => format!("{id}.md"),
        slug => format!("{id}-{slug}.md"),
    }
}

/// The template engine over the project's templates, then the embedded ones.
fn environment(templates: Option<&Path>) -> Environment<'static> {
    let mut environment = markdown::environment();
    let project = templates.map(|folder| minijinja::path_loader(folder.join("corpus")));
    environment.set_loader(move |name| {
        if let Some(project) = &project
            && let Some(own) = project(name)?
        {
            return Ok(Some(own));
        }
        Ok(EMBEDDED.get_file(name).and_then(|file| file.contents_utf8()).map(Into::into))
    });
    environment
}

fn explain(error: &minijinja::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

/// Who is related to whom, seen from each end.
struct Neighbours<'a> {
    by_kind: BTreeMap<(&'a AttackId, Kind), BTreeSet<&'a AttackId>>,
    parents: BTreeMap<&'a AttackId, BTreeSet<&'a AttackId>>,
    children: BTreeMap<&'a AttackId, BTreeSet<&'a AttackId>>,
}

impl<'a> Neighbours<'a> {
    /// Between two objects of different kinds only one verb is possible, so the kind of the other end tells it.
    fn of(facts: &'a Facts) -> Self {
        let mut all = Self { by_kind: BTreeMap::new(), parents: BTreeMap::new(), children: BTreeMap::new() };
        for relation in &facts.relations {
            let (from, to) = (&relation.from, &relation.to);
            if relation.verb == Verb::SubtechniqueOf {
                all.parents.entry(from).or_default().insert(to);
                all.children.entry(to).or_default().insert(from);
            } else {
                all.by_kind.entry((from, to.kind())).or_default().insert(to);
                all.by_kind.entry((to, from.kind())).or_default().insert(from);
            }
        }
        all
    }
}

fn view(facts: &Facts, slice: &BTreeSet<AttackId>, neighbours: &Neighbours, entity: &Entity) -> Value {
    let id = &entity.id;
    let related = |kind: Kind| named(facts, slice, id.kind(), neighbours.by_kind.get(&(id, kind)));
    let tactics = entity.tactics.iter().map(|short_name| &facts.tactics[short_name]);
    let mut tactics: Vec<_> = tactics.map(|tactic| (tactic.id.as_str(), tactic.name.as_str())).collect();
    tactics.sort_unstable();
    context! {
        attack => facts.version.as_ref().map_or_else(|| "ATT&CK".to_owned(), |version| format!("ATT&CK v{version}")),
        id => id.as_str(),
        label => label(entity),
        url => url(id),
        aliases => entity.aliases.iter().filter(|alias| **alias != entity.name).cloned().collect::<Vec<String>>(),
        platforms => entity.platforms.clone(),
        tactics => tactics.into_iter().map(|(id, name)| format!("{name} ({id})")).collect::<Vec<String>>(),
        software_type => entity.software_type,
        first_seen => entity.first_seen.map(|month| month.to_string()),
        last_seen => entity.last_seen.map(|month| month.to_string()),
        groups => related(Kind::Group),
        campaigns => related(Kind::Campaign),
        software => related(Kind::Software),
        techniques => related(Kind::Technique),
        mitigations => related(Kind::Mitigation),
        related => links(facts, slice, neighbours, id),
        parents => named(facts, slice, id.kind(), neighbours.parents.get(id)),
        subtechniques => named(facts, slice, id.kind(), neighbours.children.get(id)),
    }
}

/// The related objects a dossier names: those with a dossier of their own first, then by identifier, up to the limit.
fn named(facts: &Facts, slice: &BTreeSet<AttackId>, reader: Kind, related: Option<&BTreeSet<&AttackId>>) -> Value {
    let mut ids: Vec<&AttackId> = related.into_iter().flatten().copied().collect();
    let total_n = ids.len();
    ids.sort_by_key(|id| (!slice.contains(*id), *id));
    if let Some(first) = ids.first() {
        ids.truncate(most_named(reader, first.kind()));
    }
    let named: Vec<String> = ids.iter().map(|id| label(&facts.entities[*id])).collect();
    context! { total_n => total_n, named_n => named.len(), named => named }
}

/// Identifier and file of every related object that has a dossier.
fn links(facts: &Facts, slice: &BTreeSet<AttackId>, neighbours: &Neighbours, id: &AttackId) -> Vec<Value> {
    let of_kinds = Kind::ALL.into_iter().filter_map(|kind| neighbours.by_kind.get(&(id, kind)));
    let ends = [neighbours.parents.get(id), neighbours.children.get(id)];
    let related: BTreeSet<&AttackId> = of_kinds.chain(ends.into_iter().flatten()).flatten().copied().collect();
    let linked = related.into_iter().filter(|id| slice.contains(*id));
    linked.map(|id| context! { id => id.as_str(), file => file_name(&facts.entities[id]) }).collect()
}

/// Name and identifier; the identifier alone for campaigns that ATT&CK names by it.
fn label(entity: &Entity) -> String {
    match entity.name == entity.id.as_str() {
        true => entity.name.clone(),
        false => format!("{} ({})", entity.name, entity.id),
    }
}

fn url(id: &AttackId) -> String {
    format!("https://attack.mitre.org/{}/{}", id.kind().site_folder(), id.as_str().replace('.', "/"))
}
