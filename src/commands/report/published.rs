//! What a project has published: the experiment files and `docs/results` as the facts of a results site.

use crate::commands::context::Context;
use crate::error::Result;
use crate::experiment::dataset::Dataset;
use crate::experiment::flavor::EXPERIMENTAL_BASES;
use crate::experiment::load::{Experiment, Files};
use crate::experiment::roles::{RoleModel, Roles};
use crate::experiment::titles::{self, Titles};
use crate::report::site::{self, DatasetFacts, FlavorFacts, ModelFacts, SiteInputs, SnapshotPaths};
use std::collections::BTreeMap;

/// Name of a site that has no `docs/manifest.yaml`.
pub const SITE_NAME: &str = "RAG comparison";
/// Pages by name with their place below `docs/`, as a documentation manifest names them.
const SOURCES: [(&str, &str); 3] = [
    ("evaluation-results", "evaluation-results.md"),
    ("dataset-complexity-report", "dataset-complexity-report.md"),
    ("results-ledger", "results/README.md"),
];
/// Roles whose models write answers, and roles whose models make and ask the graph.
const GENERATION: [&str; 3] = ["light_gen", "contextual_blurb", "agentic"];
const GRAPH: [&str; 3] = ["extract", "keyword", "query"];

/// The facts of the project's site; nothing when it has no experiment files.
pub fn inputs(context: &Context) -> Result<Option<SiteInputs>> {
    if !context.project.join("compare/evaluation.yaml").exists() {
        return Ok(None);
    }
    let experiment = Experiment::load(&context.project, &Files::default())?;
    let Titles { site_name, pages } = titles::load(&context.project)?;
    let titles: BTreeMap<String, String> =
        SOURCES.into_iter().filter_map(|(page, source)| Some((page.to_owned(), pages.get(source)?.clone()))).collect();
    Ok(Some(SiteInputs {
        root: context.project.clone(),
        name: site_name.unwrap_or_else(|| SITE_NAME.to_owned()),
        titles,
        datasets: experiment.datasets.iter().map(|dataset| facts(context, dataset)).collect(),
        base_approaches: experiment.manifest.approaches.iter().map(|approach| approach.model.clone()).collect(),
        flavors: experiment
            .flavors
            .iter()
            .filter(|profile| profile.alias != profile.base)
            .map(|profile| FlavorFacts { alias: profile.alias.clone(), base: profile.base.clone() })
            .collect(),
        experimental: EXPERIMENTAL_BASES.map(str::to_owned).to_vec(),
        models: models(&experiment.roles),
        artifacts: site::artifacts(&context.project.join("docs/results"))?,
    }))
}

/// Whether anything was published: the catalogue names files, or the results folder holds some.
pub fn names_files(inputs: &SiteInputs) -> bool {
    let names = |paths: &SnapshotPaths| {
        [&paths.evaluation, &paths.judgments, &paths.evidence].iter().any(|path| path.is_some())
    };
    !inputs.artifacts.is_empty()
        || inputs.datasets.iter().any(|dataset| names(&dataset.base) || names(&dataset.flavors))
}

fn facts(context: &Context, dataset: &Dataset) -> DatasetFacts {
    let note = |key: &str| dataset.notes.get(key).cloned();
    let snapshots = |prefix: &str| SnapshotPaths {
        evaluation: note(&format!("{prefix}evaluation_snapshot")),
        judgments: note(&format!("{prefix}judgment_snapshot")),
        evidence: note(&format!("{prefix}evidence_snapshot")),
    };
    DatasetFacts {
        id: dataset.id.clone(),
        label: Some(dataset.label.clone()),
        complexity_level: Some(dataset.complexity_level.into()),
        status: Some(dataset.status.clone()),
        ingestion_profile: Some(dataset.ingestion_profile.clone()),
        graph_nature: Some(dataset.graph_nature.clone()).filter(|text| !text.is_empty()),
        questions_file: Some(context.shown(&dataset.questions_file)),
        source_url: note("source_url"),
        base: snapshots(""),
        flavors: snapshots("flavor_"),
    }
}

fn models(roles: &Roles) -> Vec<ModelFacts> {
    let named = GENERATION.map(|role| (role, "generation")).into_iter().chain(GRAPH.map(|role| (role, "lightrag")));
    named
        .filter_map(|(role, part)| {
            let model = match roles.models.get(role)? {
                RoleModel::Builtin => "builtin".to_owned(),
                RoleModel::Local(name) => name.clone(),
                RoleModel::Remote(remote) => remote.model.clone(),
            };
            Some(ModelFacts { role: role.to_owned(), part: part.to_owned(), model })
        })
        .collect()
}
