//! Endpoints of somebody else, named in `compare/approaches.yaml`: what they are sent, what rows and tables say.

use super::support::{Service, answer_with, project_asking};
use crate::stub::Reply;
use serde_json::{Value, json};

#[test]
fn each_approach_is_asked_where_and_as_its_file_says() {
    let plain = Service::start(|_| answer_with("At noon.", json!({"sources": ["It leaves at noon."]})));
    let other = Service::start(|_| answer_with("At pier 4.", json!({"data": {"hits": [{"text": "Pier 4."}]}})));
    let project = project_asking(
        &["plain-rag", "other-rag"],
        &format!(
            "version: 1\napproaches:\n  - {{alias: plain-rag, base_url: \"{}\"}}\n  - alias: other-rag\n    base_url: {}/\n    \
             model: harbour-2\n    api_key_env: HARBOUR_KEY\n    headers: {{X-Tenant: pier, X-Token: {{env: HARBOUR_TOKEN}}}}\n    \
             body: {{temperature: 0, top_k: 3, filter: {{lang: en}}}}\n    prompt: \"Answer: {{{{ question }}}}\"\n    \
             messages:\n      - {{role: system, content: Be short.}}\n      - {{role: user, content: \"{{{{ question }}}}\"}}\n    \
             contexts: [absent, data/hits]\n",
            plain.base(),
            other.base()
        ),
    );
    let mut command = project.command(&["run", "--limit", "1"]);
    command.env("HARBOUR_KEY", "sk-harbour-1").env("HARBOUR_TOKEN", "token-2");
    let told = crate::cli::project::Told::from(command.output().unwrap()).ends_with(0);

    let question = "When does the noon ferry leave?";
    let first = &plain.stub.seen()[0];
    assert_eq!(first.body, json!({"model": "plain-rag", "messages": [{"role": "user", "content": question}]}));
    let second = &other.stub.seen()[0];
    assert_eq!(
        second.body,
        json!({
            "model": "harbour-2",
            "messages": [
                {"role": "system", "content": "Be short."},
                {"role": "user", "content": "{{ question }}"},
                {"role": "user", "content": format!("Answer: {question}")},
            ],
            "temperature": 0, "top_k": 3, "filter": {"lang": "en"},
        })
    );
    let headers = ["authorization", "x-tenant", "x-token"].map(|name| second.header(name));
    assert_eq!(headers, ["Bearer sk-harbour-1", "pier", "token-2"]);

    let rows = project.rows("harbour");
    let of = |alias: &str| rows.iter().find(|row| row["approach"]["model"] == alias).unwrap();
    assert_eq!(of("plain-rag")["evidence"]["contexts"], json!(["It leaves at noon."]));
    assert_eq!(of("other-rag")["evidence"]["contexts"], json!(["Pier 4."]));
    assert_eq!(of("other-rag")["approach"]["provider"], "openai-compatible");
    assert!(of("plain-rag")["metrics"]["ragas"]["scores"]["faithfulness"].is_number(), "our evaluator scores");
    let runtime = &rows[0]["reproducibility"]["runtime"]["gateway"]["approaches"];
    assert_eq!(runtime["other-rag"], json!({"url": other.base(), "model": "harbour-2"}));
    assert!(rows[0]["reproducibility"]["config_hashes"]["approaches"].is_string());
    for file in ["compare/results/harbour.jsonl", "compare/results/harbour.events.jsonl"] {
        let text = project.read(file);
        assert!(!text.contains("sk-harbour-1") && !text.contains("token-2"), "{file} holds a secret");
    }
    assert!(!told.err.contains("ingest"), "no document of ours is read:\n{}", told.err);
}

#[test]
fn a_finished_run_starts_nothing_and_a_changed_approaches_file_refuses_to_resume() {
    let service = Service::start(|_| answer_with("At noon.", json!({"sources": ["Noon."]})));
    let file = format!("version: 1\napproaches:\n  - {{alias: my-rag, base_url: \"{}\"}}\n", service.base());
    let project = project_asking(&["my-rag"], &file);
    project.ragsql(&["run"]).ends_with(0);
    let called = service.stub.count();
    service.stop();
    assert_eq!(called, 3);
    project.ragsql(&["run"]).ends_with(0).complains("3 of 3 cells are on disk");
    project.write("compare/approaches.yaml", &file.replace("my-rag,", "my-rag, model: other,"));
    project.ragsql(&["run"]).ends_with(2).complains("approaches");
}

#[test]
fn missing_contexts_are_told_in_the_row_the_warehouse_and_the_table() {
    let service = Service::start(|seen| match seen.model() {
        "bare-rag" => answer_with("At noon.", json!({})),
        _ => answer_with("At noon.", json!({"sources": []})),
    });
    let project = project_asking(
        &["bare-rag", "idle-rag"],
        &format!(
            "version: 1\ndefaults: {{base_url: \"{}\"}}\napproaches:\n  - alias: bare-rag\n  - alias: idle-rag\n",
            service.base()
        ),
    );
    let questions = project.read("demo/harbour.yaml").replace("pier 4.}", "pier 4., relevant_sources: [ferry.md]}");
    project.write("demo/harbour.yaml", &questions);
    let told = project.ragsql(&["run"]).ends_with(0);
    assert!(told.out.contains("contexts_missing · 3 of 3 answers of `bare-rag`"), "{}", told.out);
    assert!(!told.out.contains("answers of `idle-rag`"), "{}", told.out);
    for row in project.rows("harbour") {
        let bare = row["approach"]["model"] == "bare-rag";
        let flag = row["evidence"].get("approach_metadata").and_then(|metadata| metadata.get("contexts_missing"));
        assert_eq!(flag == Some(&Value::Bool(true)), bare, "{row}");
        let reason = if bare { "contexts_missing" } else { "retrieved_contexts_required" };
        assert_eq!(row["metrics"]["ragas"]["not_evaluable"]["faithfulness"], reason);
    }
    let asked = |statement: &str| project.ragsql(&["sql", statement]).ends_with(0).out;
    let counts =
        asked("select approach, count(*) filter (where contexts_missing) as n from cells group by 1 order by 1");
    assert!(counts.contains("bare-rag") && counts.contains('3'), "{counts}");
    let reasons = asked(
        "select distinct reason from scores join cells using (row_id) where approach = 'bare-rag' and metric = 'faithfulness'",
    );
    assert!(reasons.contains("contexts_missing"), "{reasons}");
    let retrieval = asked(
        "select approach, state, reason from retrieval_scores join cells using (row_id) where metric = 'mrr' and question_id = 'ferry' order by 1",
    );
    assert!(retrieval.contains("contexts_missing") && retrieval.contains("scored"), "{retrieval}");
}

#[test]
fn check_shows_the_connections_and_tells_every_mistake_with_file_and_line() {
    let right = project_asking(
        &["my-rag"],
        "version: 1\napproaches:\n  - {alias: my-rag, base_url: \"http://127.0.0.1:9/v1\", api_key_env: MY_KEY, body: {k: 1}}\n",
    );
    let told = right.ragsql(&["check"]).ends_with(0);
    assert!(told.out.contains("my-rag: http://127.0.0.1:9/v1 · key in MY_KEY · fields k"), "{}", told.out);
    right.ragsql(&["run"]).ends_with(2).complains("MY_KEY").complains("nothing was called");

    let wrong = project_asking(
        &["my-rag"],
        "version: 1\napproaches:\n\
         \x20 - alias: my-rga\n    base_url: ftp://x\n\
         \x20 - alias: my-rag\n    bse_url: http://x\n    prompt: \"no question\"\n    contexts: [\"$.sources\"]\n\
         \x20   headers: {Authorization: Bearer sk-1}\n    body: {model: m}\n    messages: [{role: robot, content: x}]\n\
         \x20 - alias: my-rag\n    prompt: \"{{ querstion }}\"\n",
    );
    let told = wrong.ragsql(&["check"]).ends_with(2);
    for text in [
        "approaches.yaml:4",
        "http or https URL",
        "approaches.yaml:6:5: unknown approach field `bse_url`",
        "did you mean `base_url`?",
        "leaves the question out",
        "`$.sources` is not a JSON pointer",
        "must not hold a key",
        "must not set `model`",
        "`role` must be",
        "already on line 5",
        "uses `querstion`",
    ] {
        assert!(told.err.contains(text), "`{text}` is not in:\n{}", told.err);
    }
    assert!(!told.err.contains("sk-1"), "a key is shown:\n{}", told.err);

    let unknown = project_asking(&["my-rag"], "version: 1\napproaches:\n  - {alias: my-rga}\n");
    unknown.ragsql(&["check"]).ends_with(2).complains("approaches.yaml:3").complains("did you mean `my-rag`?");
}

#[test]
fn a_service_that_refuses_fields_it_does_not_know_is_asked_in_the_plainest_way() {
    // Bug-report J10.
    let service = Service::start(|seen| {
        let known = ["model", "messages"];
        match seen.body.as_object().unwrap().keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Reply::text(400, &format!("{{\"error\":{{\"message\":\"unknown field {key}\"}}}}")),
            None => answer_with("fine", json!({})),
        }
    });
    let file = format!("version: 1\napproaches:\n  - {{alias: my-rag, base_url: \"{}\"}}\n", service.base());
    let project = project_asking(&["my-rag"], &file);
    project.ragsql(&["run"]).ends_with(0);
    let called = service.stub.count();
    project.write("compare/approaches.yaml", &file.replace("my-rag,", "my-rag, body: {top_k: 3},"));
    project.ragsql(&["run", "--run-id", "extra", "--limit", "1"]).ends_with(1);
    assert_eq!(service.stub.count(), called + 1, "a refusal is not repeated");
    let row = &project.rows("extra")[0];
    assert!(row["error"]["message"].as_str().unwrap().contains("unknown field top_k"), "{row}");
}

#[test]
fn only_a_service_that_is_said_to_know_the_field_is_asked_for_a_fresh_answer() {
    // Bug-report D7.
    let service = Service::start(|_| answer_with("At noon.", json!({})));
    let project = project_asking(
        &["plain-rag", "fresh-rag", "stale-rag"],
        &format!(
            "version: 1\ndefaults: {{base_url: \"{}\"}}\napproaches:\n  - {{alias: plain-rag}}\n  \
             - {{alias: fresh-rag, fresh: true}}\n  - {{alias: stale-rag, fresh: false}}\n",
            service.base()
        ),
    );
    project.ragsql(&["run", "--limit", "1"]).ends_with(0);
    let seen = service.stub.seen();
    let mut asked: Vec<(&str, Option<&Value>)> =
        seen.iter().map(|seen| (seen.model(), seen.body.get("cache"))).collect();
    asked.sort_by_key(|(model, _)| *model);
    let refused = json!({"no-cache": true, "no-store": true});
    assert_eq!(asked, [("fresh-rag", Some(&refused)), ("plain-rag", None), ("stale-rag", None)]);
}

#[test]
fn the_refusals_of_one_service_leave_the_others_alone_and_both_names_of_a_model_are_kept() {
    // Bug-reports D4 and J11, over two base URLs.
    let busy = Service::start(|seen| match seen.number {
        0 => Reply::status(429).with("retry-after", "3"),
        _ => answer_with("late", json!({})),
    });
    let calm = Service::start(|_| answer_with("early", json!({"model": "osprey"})));
    let project = project_asking(
        &["busy-rag", "calm-rag"],
        &format!(
            "version: 1\napproaches:\n  - {{alias: busy-rag, base_url: \"{}\"}}\n  - {{alias: calm-rag, base_url: \"{}\", model: heron}}\n",
            busy.base(),
            calm.base()
        ),
    );
    project.ragsql(&["run", "--concurrency", "1"]).ends_with(0);
    assert_eq!((busy.stub.count(), calm.stub.count()), (4, 3));
    let again = busy.stub.seen()[1].at;
    assert!(calm.stub.seen().iter().all(|seen| seen.at < again), "a refused cell keeps the others waiting");
    let rows = project.rows("harbour");
    let calm_row = rows.iter().find(|row| row["approach"]["model"] == "calm-rag").unwrap();
    assert_eq!(calm_row["evidence"]["response_model"], "osprey");
    assert_eq!(calm.stub.seen()[0].model(), "heron");
}

#[test]
fn keys_are_refused_at_every_depth_and_under_every_usual_name() {
    let service = Service::start(|_| answer_with("fine", json!({})));
    for field in [
        "body: {extra_body: {api_key: sk-deep-1}}",
        "body: {tools: [{server: {x-auth-token: sk-deep-1}}]}",
        "body: {token: sk-deep-1}",
        "headers: {Cookie: sk-deep-1}",
        "headers: {X-Api-Token: sk-deep-1}",
    ] {
        let file =
            format!("version: 1\napproaches:\n  - {{alias: my-rag, base_url: \"{}\", {field}}}\n", service.base());
        let told = project_asking(&["my-rag"], &file).ragsql(&["check"]).ends_with(2);
        assert!(told.err.contains("key") && !told.err.contains("sk-deep-1"), "{field}\n{}", told.err);
    }
}

#[test]
fn an_evaluator_of_another_kind_is_noticed_when_a_service_of_ones_own_is_resumed() {
    let service = Service::start(|_| answer_with("At noon.", json!({"sources": ["It leaves at noon."]})));
    let file = format!("version: 1\napproaches:\n  - {{alias: my-rag, base_url: \"{}\"}}\n", service.base());
    let project = project_asking(&["my-rag"], &file);
    std::fs::remove_dir_all(project.path("corpus")).unwrap();
    project.ragsql(&["run", "--limit", "1"]).ends_with(0);
    let roles = &rows(&project, "harbour")[0]["reproducibility"]["runtime"]["gateway"]["roles"];
    assert_eq!(roles["ragas_evaluator"]["model"], "builtin/lexical-evaluator");
    let elsewhere = format!("{}/score", service.base());
    project.ragsql(&["run", "--limit", "2", "--evaluator-url", &elsewhere]).ends_with(2).complains("--run-id");
    project.ragsql(&["rescore", "harbour", "--run-id", "again"]).ends_with(0);
}
