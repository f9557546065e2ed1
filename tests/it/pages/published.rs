//! The published result sets of the shared folder.

use super::tree::{flavor, measured, shared, warehouse};
use ragsql::report::page::Pages;
use ragsql::report::site::{ModelFacts, SiteInputs, given, render_all};
use std::path::Path;

/// Values of one key of a YAML file of plain lines, in order.
fn values(path: &Path, key: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let pattern = regex::Regex::new(&format!(r"(?m)^\s*(?:- )?{key}: *(\S+)\s*$")).unwrap();
    pattern.captures_iter(&text).map(|found| found[1].to_owned()).collect()
}

pub fn published() -> Option<SiteInputs> {
    let root = shared("data/rag-showcase")?;
    let aliases = values(&root.join("compare/flavors.yaml"), "alias");
    let bases = values(&root.join("compare/flavors.yaml"), "base");
    let set = |id: &str, level: i64| {
        let stem = format!("results/live-2026-07-17-{id}");
        measured(id, level, &stem, &format!("{stem}-flavors"))
    };
    Some(SiteInputs {
        base_approaches: values(&root.join("compare/evaluation.yaml"), "model"),
        root,
        name: "Published".to_owned(),
        datasets: vec![set("baseline_curated", 1), set("graph_native", 2)],
        flavors: aliases.iter().zip(&bases).map(|(alias, base)| flavor(alias, base)).collect(),
        experimental: vec!["lazy-graph-rag".to_owned()],
        models: vec![ModelFacts {
            role: "light_gen".to_owned(),
            part: "generation".to_owned(),
            model: "qwen3.8:latest".to_owned(),
        }],
        ..SiteInputs::default()
    })
}

#[test]
fn the_judge_means_are_those_of_the_published_table() {
    let Some(inputs) = published() else { return };
    let warehouse = warehouse(&inputs);
    let ranking = warehouse.query("reports/judge_ranking@1", &[]).unwrap();
    let score = |dataset: &str, approach: &str| {
        let row = ranking.rows.iter().find(|row| {
            row.text("tier").unwrap() == "base"
                && row.text("dataset_id").unwrap() == dataset
                && row.text("approach").unwrap() == approach
        });
        row.unwrap().text("score_text").unwrap().to_owned()
    };
    for (approach, baseline, graph_native) in [
        ("vanilla-rag", "4.17", "4.06"),
        ("hybrid-rag", "4.00", "3.62"),
        ("contextual-rag", "3.92", "4.19"),
        ("graph-rag", "3.75", "2.62"),
        ("agentic-rag", "2.67", "2.44"),
        ("n8n-adaptive-rag", "3.33", "2.44"),
        ("lazy-graph-rag", "3.92", "4.31"),
    ] {
        assert_eq!(score("baseline_curated", approach), baseline, "{approach}");
        assert_eq!(score("graph_native", approach), graph_native, "{approach}");
    }
}

#[test]
fn the_published_files_pass_every_validation_and_name_their_models() {
    let Some(inputs) = published() else { return };
    let warehouse = warehouse(&inputs);
    let pages = Pages::load(None).unwrap();
    let rendered = pages.render(&warehouse, "evaluation-results", &given(&inputs, "evaluation-results")).unwrap();
    let page = &rendered[0].1;
    assert!(page.contains("Judges: `gemma4:31b`, `qwen3.6:latest`."));
    assert!(page.contains("Ragas evaluators: `mistral-small3.2:24b`."));
    assert!(page.contains("Generation roles in use today: `qwen3.8:latest`."));
    assert!(page.contains("LightRAG models in use today: not recorded."));
}

#[test]
fn the_whole_published_site_is_the_same_again() {
    let Some(inputs) = published() else { return };
    let site = render_all(&inputs, &super::tree::CATALOGUE, None).unwrap();
    assert_eq!(site.len(), 8);
    let again = render_all(&inputs, &super::tree::CATALOGUE, None).unwrap();
    assert_eq!(site, again);
    if let Some(folder) = std::env::var_os("RAGSQL_TEST_PAGES") {
        for (path, text) in &site {
            let path = Path::new(&folder).join("published").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }
}
