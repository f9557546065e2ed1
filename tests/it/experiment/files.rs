//! What right files become: values, defaults, paths, datasets, hashes.

use super::{load, messages, project_with, valid_project};
use ragsql::experiment::flavor::Param;
use ragsql::experiment::manifest::EvidenceCapability;
use ragsql::experiment::roles::{ROLE_NAMES, RemoteModel, RoleModel, Roles, RouteMap};
use ragsql::experiment::{Experiment, Files};
use sha2::{Digest, Sha256};
use std::path::Path;

fn sha256(path: &Path) -> String {
    Sha256::digest(std::fs::read(path).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_projects_own_files_are_right() {
    let experiment = load(Path::new(env!("CARGO_MANIFEST_DIR")));
    let models: Vec<&str> = experiment.manifest.approaches.iter().map(|approach| approach.model.as_str()).collect();
    let canonical = ["vanilla-rag", "hybrid-rag", "contextual-rag", "graph-rag", "agentic-rag", "n8n-adaptive-rag"];
    assert_eq!(models[..6], canonical);
    assert_eq!(models[6..], ["lazy-graph-rag"]);
    assert_eq!(experiment.manifest.ragas.len(), 4);
    assert_eq!(experiment.roles, Roles::builtin());
    assert_eq!(experiment.dataset("baseline_curated").unwrap().complexity_level, 1);
    assert!(experiment.flavors[7..].iter().all(|profile| experiment.capability(&profile.base).is_some()));
}

#[test]
fn manifest_values_are_read_as_written() {
    let manifest = load(&valid_project()).manifest;
    assert_eq!(manifest.approaches[3].evidence, EvidenceCapability::AnswerOnly);
    assert_eq!(manifest.ragas, ["faithfulness", "answer_relevancy"]);
    assert!(!manifest.judge_panel.enabled && manifest.judge_panel.endpoint.is_none());
    assert_eq!((manifest.run.retries, manifest.run.concurrency), (2, 4));
    assert_eq!((manifest.run.timeout_s, manifest.run.evaluator_timeout_s), (30.0, 7.5));
    assert_eq!(manifest.run.seed, "tide-1");
}

#[test]
fn absent_settings_take_the_contracts_defaults() {
    let text = "version: 1\nroot: ..\ndatasets_file: datasets.yaml\napproaches: [{model: ' ', evidence: answer_only}]\n\
                metrics: {judge_panel: {endpoint: ' '}}\nrun: {}\n";
    let project = project_with("compare/evaluation.yaml", text);
    let manifest = load(project.path()).manifest;
    assert_eq!((manifest.run.retries, manifest.run.concurrency), (1, 1));
    assert_eq!((manifest.run.timeout_s, manifest.run.evaluator_timeout_s), (420.0, 420.0));
    assert_eq!(manifest.run.seed, "rag-showcase-v1");
    assert_eq!(manifest.ragas, Vec::<String>::new());
    // A blank is one character, so the contract lets it pass.
    assert_eq!(manifest.approaches[0].model, " ");
    let panel = manifest.judge_panel;
    assert!(panel.enabled && panel.temperature == 0.0 && panel.thinking.is_none() && panel.models.is_empty());
}

#[test]
fn a_repeated_metric_is_kept_and_the_ends_of_ranges_are_inside() {
    let text = std::fs::read_to_string(valid_project().join("compare/evaluation.yaml")).unwrap();
    let text = text
        .replace("[faithfulness, answer_relevancy]", "[faithfulness, faithfulness]")
        .replace("enabled: false", "enabled: false\n    temperature: 2\n    thinking: true\n    models: [a, b]")
        .replace("retries: 2", "retries: 10")
        .replace("timeout_s: 30", "timeout_s: 3.6e3")
        .replace("concurrency: 4", "concurrency: 32");
    let project = project_with("compare/evaluation.yaml", text);
    let manifest = load(project.path()).manifest;
    assert_eq!(manifest.ragas, ["faithfulness", "faithfulness"]);
    assert_eq!((manifest.run.retries, manifest.run.timeout_s, manifest.run.concurrency), (10, 3600.0, 32));
    assert_eq!((manifest.judge_panel.temperature, manifest.judge_panel.thinking), (2.0, Some(true)));
}

#[test]
fn paths_are_absolute_and_start_where_the_contract_says() {
    let project = valid_project().canonicalize().unwrap();
    let experiment = load(&valid_project());
    assert_eq!(experiment.manifest.root, project);
    assert_eq!(experiment.manifest.datasets_file, project.join("compare/datasets.yaml"));
    let ferries = experiment.dataset("007").unwrap();
    assert_eq!(ferries.corpus_path, project.join("corpus/ferries"));
    assert_eq!(ferries.questions_file, project.join("demo/ferries.yaml"));
}

#[test]
fn an_absolute_path_wins_and_an_empty_corpus_path_is_the_root() {
    let text = "datasets:\n  - {id: a, label: b, status: c, complexity_level: 9, corpus_path: '', questions_file: /q/../r.yaml}\n";
    let project = project_with("compare/datasets.yaml", text);
    let experiment = load(project.path());
    let dataset = experiment.dataset("a").unwrap();
    assert_eq!(dataset.corpus_path, project.path().canonicalize().unwrap());
    assert_eq!(dataset.questions_file, Path::new("/r.yaml"));
    assert_eq!(dataset.ingestion_profile, "a");
    assert_eq!(dataset.graph_nature, "");
}

#[cfg(unix)]
#[test]
fn links_in_paths_are_followed() {
    let project = project_with("store/real.yaml", "- {id: a, query: b}\n");
    std::os::unix::fs::symlink("../store", project.path().join("demo/linked")).unwrap();
    let experiment = load(project.path());
    let dataset = experiment.resolve_dataset(None, Some(Path::new("demo/linked/real.yaml"))).unwrap();
    assert_eq!(dataset.questions_file, project.path().canonicalize().unwrap().join("store/real.yaml"));
    assert_eq!(experiment.load_questions(&dataset).unwrap().questions.len(), 1);
}

#[test]
fn the_catalogue_keeps_ids_as_typed_and_needs_no_file_to_exist() {
    let experiment = load(&valid_project());
    let ids: Vec<&str> = experiment.datasets.iter().map(|dataset| dataset.id.as_str()).collect();
    assert_eq!(ids, ["harbour", "007"]);
    assert_eq!(experiment.dataset("007").unwrap().ingestion_profile, "ferries_v2");
    assert_eq!(messages(&experiment.dataset("7").unwrap_err()), ["unknown dataset `7` (valid: `harbour` and `007`)"]);
    assert_eq!(
        messages(&experiment.dataset("harbor").unwrap_err()),
        ["unknown dataset `harbor` (did you mean `harbour`?)"]
    );
}

#[test]
fn a_dataset_is_found_by_id_or_by_its_question_file() {
    let experiment = load(&valid_project());
    let by_default = experiment.resolve_dataset(None, None).unwrap();
    assert_eq!(by_default.id, "harbour");
    let by_file = experiment.resolve_dataset(None, Some(Path::new("compare/../demo/ferries.yaml"))).unwrap();
    assert_eq!(by_file.id, "007");
    let both = experiment.resolve_dataset(Some("007"), Some(Path::new("demo/queries.yaml"))).unwrap();
    assert_eq!((both.id.as_str(), both.label.as_str()), ("007", "Ferry timetables"));
    assert_eq!(both.questions_file, by_default.questions_file);
}

#[test]
fn a_question_file_outside_the_catalogue_makes_an_ad_hoc_dataset() {
    let project = project_with("mine/tide.v2.yaml", "- {id: a, query: b}\n");
    let experiment = load(project.path());
    let dataset = experiment.resolve_dataset(None, Some(Path::new("mine/tide.v2.yaml"))).unwrap();
    assert_eq!((dataset.id.as_str(), dataset.status.as_str(), dataset.complexity_level), ("tide.v2", "ad_hoc", 1));
    assert!(dataset.label.contains("tide.v2.yaml"));
    assert_eq!(dataset.corpus_path, experiment.root);
    assert_eq!(dataset.graph_nature, "unspecified");
}

#[test]
fn a_question_file_of_two_datasets_asks_for_the_id() {
    let text = std::fs::read_to_string(valid_project().join("compare/datasets.yaml")).unwrap();
    let project = project_with("compare/datasets.yaml", text.replace("demo/ferries.yaml", "demo/queries.yaml"));
    let problems = load(project.path()).resolve_dataset(None, None).unwrap_err();
    assert_eq!(
        messages(&problems),
        [
            "`demo/queries.yaml` holds the questions of several datasets: `007` and `harbour` (say which with `--dataset` \
          or `MATRIX_DATASET_ID`)"
        ]
    );
}

#[test]
fn a_missing_question_file_says_what_could_be_asked_for() {
    let experiment = load(&valid_project());
    let ferries = experiment.dataset("007").unwrap();
    assert_eq!(
        messages(&experiment.load_questions(&ferries).unwrap_err()),
        ["compare/datasets.yaml:14:19: dataset `007` names `demo/ferries.yaml`, which does not exist"]
    );
    let other = experiment.resolve_dataset(None, Some(Path::new("other.yaml"))).unwrap();
    assert_eq!(
        messages(&experiment.load_questions(&other).unwrap_err()),
        ["the question file `other.yaml` does not exist (datasets of the catalogue: `harbour` and `007`)"]
    );
}

#[test]
fn hashes_are_those_of_the_files_and_absent_files_are_left_out() {
    let project = project_with("unused.txt", "");
    let (manifest, questions) = ("compare/evaluation.yaml", "demo/queries.yaml");
    let hashes_of = |project: &Path| {
        let experiment = load(project);
        let dataset = experiment.resolve_dataset(None, None).unwrap();
        experiment.config_hashes(&experiment.load_questions(&dataset).unwrap())
    };
    let hashes = hashes_of(project.path());
    let keys: Vec<&str> = hashes.keys().map(String::as_str).collect();
    assert_eq!(keys, ["evaluation_manifest", "dataset_questions", "flavors", "roles"]);
    assert_eq!(hashes["evaluation_manifest"], sha256(&project.path().join(manifest)));
    assert_eq!(hashes["dataset_questions"], sha256(&project.path().join(questions)));

    std::fs::remove_file(project.path().join("compare/flavors.yaml")).unwrap();
    std::fs::remove_file(project.path().join("compare/roles.yaml")).unwrap();
    let fewer = hashes_of(project.path());
    let keys: Vec<&str> = fewer.keys().map(String::as_str).collect();
    assert_eq!(keys, ["evaluation_manifest", "dataset_questions"]);
}

#[test]
fn a_project_without_flavors_and_roles_has_the_seven_bases_and_built_in_models() {
    let project = project_with("unused.txt", "");
    std::fs::remove_file(project.path().join("compare/flavors.yaml")).unwrap();
    std::fs::remove_file(project.path().join("compare/roles.yaml")).unwrap();
    let experiment = load(project.path());
    let aliases: Vec<&str> = experiment.flavors.iter().map(|profile| profile.alias.as_str()).collect();
    assert_eq!(
        aliases,
        [
            "vanilla-rag",
            "hybrid-rag",
            "contextual-rag",
            "graph-rag",
            "agentic-rag",
            "n8n-adaptive-rag",
            "lazy-graph-rag"
        ]
    );
    let base = &experiment.flavors[0];
    assert_eq!((base.flavor.as_str(), base.label.as_str(), base.description.as_str()), ("default", "Default", ""));
    assert_eq!(experiment.roles.models["embed"], RoleModel::Builtin);
}

#[test]
fn an_empty_flavors_file_or_list_adds_nothing() {
    for text in ["", "# none\n", "flavors:\n", "flavors: []\n", "{}\n", "flavors: null\n"] {
        let project = project_with("compare/flavors.yaml", text);
        assert_eq!(load(project.path()).flavors.len(), 7, "{text:?}");
    }
}

#[test]
fn flavor_labels_and_names_default_to_parts_of_the_alias() {
    let text = "flavors:\n  - {alias: '  q-x ', base: graph-rag}\n  - {alias: graph-rag-graph-rag-x, base: graph-rag}\n  \
                - {alias: graph-rag-, base: graph-rag, label: ''}\n  - {alias: 12, base: graph-rag, flavor: late, label: Late}\n";
    let project = project_with("compare/flavors.yaml", text);
    let experiment = load(project.path());
    let seen: Vec<[&str; 3]> = experiment.flavors[7..]
        .iter()
        .map(|profile| [profile.alias.as_str(), profile.flavor.as_str(), profile.label.as_str()])
        .collect();
    // TV-31 as decision 2 of section 0 leaves it: aliases are trimmed and kept as typed.
    assert_eq!(
        seen,
        [
            ["q-x", "q-x", "q-x"],
            ["graph-rag-graph-rag-x", "graph-rag-x", "graph-rag-graph-rag-x"],
            ["graph-rag-", "default", "graph-rag-"],
            ["12", "late", "Late"]
        ]
    );
}

#[test]
fn parameters_keep_their_types() {
    let experiment = load(&valid_project());
    let fast = experiment.profile("hybrid-rag-fast").unwrap();
    assert_eq!(fast.params["retrieve_k"], Param::Integer(10));
    assert_eq!(fast.params["alpha"], Param::Number(0.5));
    assert_eq!(fast.params["rerank"], Param::Switch(false));
    assert_eq!(experiment.profile("agentic-rag-deeper").unwrap().params["graph_mode"], Param::Text("hybrid".into()));
    assert!(experiment.profile("lazy-graph-rag-wide").unwrap().requires_reingest);
    // TV-25: both ends are inside, whole numbers are numbers.
    let text = "flavors:\n  - {alias: a, base: hybrid-rag, params: {alpha: 0}}\n  - {alias: b, base: hybrid-rag, params: {alpha: 1}}\n";
    let project = project_with("compare/flavors.yaml", text);
    let ends: Vec<Param> = load(project.path()).flavors[7..].iter().map(|p| p.params["alpha"].clone()).collect();
    assert_eq!(ends, [Param::Number(0.0), Param::Number(1.0)]);
}

#[test]
fn the_earlier_systems_files_load_apart_from_what_is_strict() {
    let shared = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/rag-showcase/compare"));
    let (evaluation, flavors) = (shared.join("evaluation.yaml"), shared.join("flavors.yaml"));
    let [evaluation, flavors] = if evaluation.exists() {
        println!("reading ../shared/data/rag-showcase/compare");
        [evaluation, flavors]
    } else {
        println!("reading tests/fixtures/experiment/valid");
        ["evaluation.yaml", "flavors.yaml"].map(|name| valid_project().join("compare").join(name))
    };
    let project = project_with("compare/evaluation.yaml", std::fs::read(evaluation).unwrap());
    std::fs::write(project.path().join("compare/flavors.yaml"), std::fs::read(flavors).unwrap()).unwrap();
    let experiment = Experiment::load(project.path(), &Files::default()).unwrap();
    assert_eq!(experiment.manifest.approaches.len(), 7);
    assert_eq!(experiment.flavors.len(), 19);
}

#[test]
fn a_preset_is_chosen_by_name_and_every_preset_is_checked() {
    let roles = ROLE_NAMES.map(|role| format!("{role}: builtin")).join(", ");
    let builtin = format!("{{{roles}}}");
    let text = format!("version: 1\ndefault_preset: day\npresets:\n  day: {builtin}\n  night: {builtin}\n");
    let project = project_with("compare/roles.yaml", &text);
    let asking = |preset: Option<&str>| {
        let files = Files { preset: preset.map(str::to_owned), ..Files::default() };
        Experiment::load(project.path(), &files).map(|experiment| experiment.roles.preset)
    };
    assert_eq!(asking(None).unwrap(), "day");
    assert_eq!(asking(Some("night")).unwrap(), "night");
    assert_eq!(messages(&asking(Some("nigth")).unwrap_err()), ["unknown roles preset `nigth` (did you mean `night`?)"]);
    std::fs::write(
        project.path().join("compare/roles.yaml"),
        text.replace("night: {embed: builtin", "night: {embed: x"),
    )
    .unwrap();
    assert_eq!(
        messages(&asking(None).unwrap_err()),
        ["compare/roles.yaml:5:18: `embed` must be `builtin` or `local`, not `x`"]
    );
    std::fs::remove_file(project.path().join("compare/roles.yaml")).unwrap();
    assert_eq!(asking(Some("builtin")).unwrap(), "builtin");
    assert_eq!(messages(&asking(Some("day")).unwrap_err()), ["unknown roles preset `day` (valid: `builtin`)"]);
}

#[test]
fn the_shipped_roles_file_has_four_presets_and_the_shipped_profiles() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("compare/roles.yaml")).unwrap();
    let project = project_with("compare/roles.yaml", &text);
    let asking = |preset: &str| {
        let files = Files { preset: Some(preset.to_owned()), ..Files::default() };
        Experiment::load(project.path(), &files).unwrap_or_else(|problems| panic!("{problems}")).roles
    };
    assert_eq!(asking("builtin"), Roles::builtin());
    let local = asking("local");
    assert_eq!(local.models["embed"], RoleModel::Local("wordllama-256".to_owned()));
    assert!(!local.is_default && local.models["light_gen"] == RoleModel::Builtin);
    let ollama = asking("ollama");
    let RoleModel::Remote(RemoteModel { endpoint, api_key_env, max_concurrency, request_defaults, .. }) =
        &ollama.models["light_gen"]
    else {
        panic!("{:?}", ollama.models["light_gen"]);
    };
    assert_eq!((endpoint.as_str(), api_key_env, *max_concurrency), ("http://127.0.0.1:11434/v1", &None, 1));
    assert_eq!(request_defaults["think"], false);
    let litellm = asking("litellm");
    assert!(matches!(&litellm.models["embed"], RoleModel::Remote(model) if model.api_key_env.is_some()));
    assert_eq!(litellm.services.route_map, RouteMap::default());
}

#[test]
fn defaults_of_a_request_keep_their_types() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("compare/roles.yaml")).unwrap();
    let defaults = r#"{think: false, seed: 7, top_p: 0.25, stop: ["a", b], name: "7", format: null, none: ~, on: yes}"#;
    let project = project_with("compare/roles.yaml", text.replacen("{think: false}", defaults, 1));
    let files = Files { preset: Some("ollama".to_owned()), ..Files::default() };
    let roles = Experiment::load(project.path(), &files).unwrap_or_else(|problems| panic!("{problems}")).roles;
    let RoleModel::Remote(model) = &roles.models["light_gen"] else { panic!("{roles:?}") };
    assert_eq!(
        serde_json::Value::Object(model.request_defaults.clone()),
        serde_json::json!({
            "think": false, "seed": 7, "top_p": 0.25, "stop": ["a", "b"], "name": "7", "format": null, "none": null,
            "on": "yes",
        })
    );
}
