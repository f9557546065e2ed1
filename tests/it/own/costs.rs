//! `ragsql doctor` over services, prices, and the budget of a run (bug-report J4).

use super::support::{Service, answer_with, project_asking};
use crate::cli::project::Project;
use crate::stub::Reply;
use serde_json::{Value, json};

const PRICES: &str =
    "version: 1\ncurrency: EUR\nmodels:\n  - {model: theirs, input_per_million: 1000, output_per_million: 2000}\n";

/// A project that asks one service under two aliases, one call at a time.
fn asking(service: &Service) -> Project {
    let file = format!(
        "version: 1\ndefaults: {{base_url: \"{}\"}}\napproaches:\n  - alias: good-rag\n  - alias: bare-rag\n",
        service.base()
    );
    let project = project_asking(&["good-rag", "bare-rag"], &file);
    let manifest = project.read("compare/evaluation.yaml").replace("concurrency: 4", "concurrency: 1");
    project.write("compare/evaluation.yaml", &manifest);
    project
}

fn usage(prompt: u64, completion: u64) -> Value {
    json!({"usage": {"prompt_tokens": prompt, "completion_tokens": completion}})
}

#[test]
fn doctor_asks_each_alias_once_and_says_what_will_not_be_measured() {
    let service = Service::start(|seen| match seen.model() {
        _ if seen.body["stream"] == true => Reply::events("data: [DONE]\n\n"),
        "good-rag" => {
            let mut fields = usage(100, 50);
            fields["sources"] = json!(["It leaves at noon from pier 4."]);
            answer_with("It leaves at noon.", fields)
        }
        _ => answer_with("At noon.", json!({})),
    });
    let project = asking(&service);
    project.write("compare/prices.yaml", PRICES);
    let questions = project.read("demo/harbour.yaml").replace(", ground_truth: The gate is stuck.", "");
    project.write("demo/harbour.yaml", &questions);
    let manifest =
        project.read("compare/evaluation.yaml").replace("answer_relevancy]", "answer_relevancy, context_recall]");
    project.write("compare/evaluation.yaml", &manifest);
    let told = project.ragsql(&["doctor"]).ends_with(0);
    for text in [
        "aliases    ok     2 of 2 answer",
        "1 contexts at /sources · 100 + 50 tokens · model theirs",
        "no contexts · usage unknown",
        "bare-rag: will not be evaluable (contexts_missing): faithfulness, context_recall",
        "stream     ok     good-rag: yes",
        "1 of 3 have no ground_truth; not evaluable there: context_recall",
        "evaluator  ok     ok, builtin/",
        "6 cells",
        "at least 0.6000 EUR; unknown for bare-rag",
    ] {
        assert!(told.out.contains(text), "`{text}` is not in:\n{}", told.out);
    }
    let whole = service.stub.seen().iter().filter(|seen| seen.body["stream"] != true).count();
    assert_eq!((whole, service.stub.count()), (2, 3));
    assert!(!project.path("compare/results/harbour.jsonl").exists(), "a probe is no evidence");

    service.stop();
    let told = project.ragsql(&["doctor"]).ends_with(1);
    assert!(told.out.contains("0 of 2 answer") && told.out.contains("ConnectError"), "{}", told.out);
    let offline = project.ragsql(&["doctor", "--offline"]).ends_with(0);
    assert!(!offline.out.contains("answer"), "{}", offline.out);
}

#[test]
fn a_run_stops_when_its_budget_is_spent_and_goes_on_with_a_new_one() {
    let service = Service::start(|_| answer_with("At noon.", usage(100, 50)));
    let project = asking(&service);
    project.write("compare/prices.yaml", PRICES);
    // An answer costs 0.2: the third reaches 0.5.
    let told = project.ragsql(&["run", "--max-cost", "0.5"]).ends_with(1);
    assert!(
        told.err.contains("the budget of 0.5 EUR is reached: 0.600000 EUR on the answers of 3 cells"),
        "{}",
        told.err
    );
    assert!(told.err.contains("3 of 6 cells are on disk"), "{}", told.err);
    assert_eq!((project.rows("harbour").len(), service.stub.count()), (3, 3));
    // The last answer reaches it, and nothing is missing.
    let told = project.ragsql(&["run", "--max-cost", "0.55"]).ends_with(0);
    assert!(!told.err.contains("budget"), "{}", told.err);
    assert_eq!((project.rows("harbour").len(), service.stub.count()), (6, 6));
}

#[test]
fn unknown_usage_is_unknown_and_never_free() {
    for usage in [
        json!({}),
        json!({"usage": null}),
        json!({"usage": {"prompt_tokens": 5}}),
        json!({"usage": {"prompt_tokens": "5", "completion_tokens": 1}}),
    ] {
        let service = Service::start(move |_| answer_with("At noon.", usage.clone()));
        let project = asking(&service);
        project.write("compare/prices.yaml", PRICES);
        project.ragsql(&["run", "--max-cost", "9"]).ends_with(1).complains("unknown: it came without usage");
        assert_eq!(service.stub.count(), 1, "nothing it could be compared with");
    }
    let service = Service::start(|seen| match seen.number {
        0 => answer_with("At noon.", usage(100, 50)),
        _ => answer_with("At noon.", json!({})),
    });
    let project = asking(&service);
    project.write("compare/prices.yaml", PRICES);
    let told = project.ragsql(&["run", "--max-cost", "0.55"]).ends_with(1);
    assert!(told.err.contains("about 0.600000 EUR on the answers of 3 cells"), "{}", told.err);
    let counted = project.ragsql(&["sql", "select count(total_tokens) as n from cells"]).ends_with(0).out;
    assert!(counted.contains('0'), "no zero is invented:\n{counted}");
}

#[test]
fn a_budget_needs_prices_and_prices_are_strict() {
    let service = Service::start(|_| answer_with("At noon.", usage(1, 1)));
    let project = asking(&service);
    project.ragsql(&["run", "--max-cost", "1"]).ends_with(2).complains("compare/prices.yaml");
    project.ragsql(&["run", "--max-cost", "0"]).ends_with(2).complains("above 0");
    project.write("compare/prices.yaml", "version: 1\nmodels:\n  - {model: a, input_per_million: -1, out: 2}\n");
    project.ragsql(&["check"]).ends_with(2).complains("prices.yaml:3");
    let told = project.ragsql(&["run", "--max-cost", "1"]).ends_with(2);
    for text in ["prices.yaml:3", "`currency`", "unknown price field `out`", "input_per_million"] {
        assert!(told.err.contains(text), "`{text}` is not in:\n{}", told.err);
    }
    project.write("compare/prices.yaml", &PRICES.replace("theirs", "others"));
    project.ragsql(&["run", "--max-cost", "1"]).ends_with(1).complains("has no price");
}
