//! From completion bodies to evidence: the vectors of both contracts, and what gateways really send.

use ragsql::evidence::row::Evidence;
use ragsql::experiment::connection::DEFAULT_CONTEXTS;
use ragsql::json;
use ragsql::runner::completion::{NormaliseError, normalise, parse_body};
use ragsql::wire::chat::{ServerMetrics, Source};
use ragsql::wire::failure::FailureKind;
use ragsql::wire::rendered::render;
use serde_json::{Value, json};

const FOOTER: &str = "\n\n---\n📊 1.2s · 3 chunks · 1 LLM call · 0 cloud";

fn completion(content: &Value, extra: &Value) -> Value {
    let mut payload = json!({"choices": [{"message": {"role": "assistant", "content": content}}]});
    for (key, value) in extra.as_object().unwrap() {
        payload[key] = value.clone();
    }
    payload
}

/// Evidence as a gateway without a connection of its own is read.
fn normalised(payload: &Value) -> Result<Evidence, NormaliseError> {
    normalise(payload, &DEFAULT_CONTEXTS).map(|(evidence, _)| evidence)
}

fn rendered(content: &str) -> Evidence {
    normalised(&completion(&content.into(), &json!({}))).unwrap()
}

fn structured(content: &str, extension: Value) -> Evidence {
    normalised(&completion(&content.into(), &json!({"rag_showcase": extension}))).unwrap()
}

fn canonical(value: &Value) -> String {
    json::canonical(value).unwrap()
}

fn metrics(evidence: &Evidence) -> String {
    evidence.server_metrics.as_ref().map_or("null".to_owned(), |metrics| canonical(&metrics.clone().into()))
}

fn one_source(title: &str, snippet: &str, score: Option<f64>) -> Source {
    Source { title: title.to_owned(), snippet: snippet.to_owned(), score }
}

fn block(entries: &str) -> String {
    format!("answer\n\n<details><summary>🔎 Retrieved context (2 sources)</summary>\n\n{entries}\n\n</details>{FOOTER}")
}

#[test]
fn answers_lose_footer_rule_and_outer_blanks() {
    for (content, answer) in [
        ("  \n hello \n ".to_owned(), "hello"),
        ("\u{1c}\u{85}hello\u{1f}\u{2028}".to_owned(), "hello"),
        ("\u{200b}hello\u{feff}".to_owned(), "\u{200b}hello\u{feff}"),
        (format!("ans{FOOTER}"), "ans"),
        (format!("ans --{FOOTER}"), "ans --"),
        ("ans---\n---\n📊 1.2s · 3 chunks · 1 LLM call · 0 cloud".to_owned(), "ans---"),
        (format!("- x\n-{FOOTER}"), "- x\n-"),
        (format!("ans---{FOOTER}"), "ans---"),
        ("A 📊 2.0s · 2 chunks · 2 LLM calls · 0 cloud".to_owned(), "A"),
        (String::new(), ""),
    ] {
        let evidence = rendered(&content);
        assert_eq!(evidence.answer, answer, "{content:?}");
        assert_eq!(evidence.raw_content, content);
        assert_eq!(evidence.transport.as_deref(), Some("rendered"));
    }
}

#[test]
fn the_last_footer_gives_the_numbers_and_the_first_ends_the_answer() {
    for (content, expected) in [
        ("just text\n", "null"),
        ("a\n---\n📊1s·2chunk·3LLM call·4cloud tail", r#"{"chunks":2,"cloud_calls":4,"llm_calls":3,"seconds":1.0}"#),
        (
            "A\n\n---\n📊 2.0s · 2 chunks · 2 LLM calls · 0 cloud\n\n---\n📊 3s · 0 chunks · 1 LLM call · 007 cloud",
            r#"{"chunks":0,"cloud_calls":7,"llm_calls":1,"seconds":3.0}"#,
        ),
    ] {
        assert_eq!(metrics(&rendered(content)), expected, "{content:?}");
    }
    assert_eq!(rendered(&format!("A{FOOTER}{FOOTER}")).answer, "A");
}

#[test]
fn a_footer_or_score_that_is_no_number_makes_the_answer_unusable() {
    for content in [
        "ok 📊 1.2.3s · 1 chunk · 1 LLM call · 0 cloud".to_owned(),
        "ok 📊 .s · 1 chunk · 1 LLM call · 0 cloud".to_owned(),
        block("**1. t** · score 1.2.3\n\n> s"),
    ] {
        assert!(normalised(&completion(&content.as_str().into(), &json!({}))).is_err(), "{content:?}");
    }
}

#[test]
fn what_the_gateway_renders_is_read_back() {
    let sources = [one_source("a.md", "first\n\nsecond", Some(0.51249)), one_source("b **x**", "tail", None)];
    let counts = ServerMetrics { seconds: 1.25, chunks: 2, llm_calls: 2, cloud_calls: 0 };
    let evidence = rendered(&render("  Blue.  ", &sources, &counts));
    assert_eq!(evidence.answer, "Blue.");
    assert_eq!(
        canonical(&evidence.sources.into()),
        r#"[{"score":0.512,"snippet":"first\n\nsecond","title":"a.md"},{"score":null,"snippet":"tail","title":"b **x**"}]"#
    );
    assert_eq!(evidence.contexts, ["first\n\nsecond", "tail"]);
}

#[test]
fn a_negative_score_keeps_its_own_entry() {
    let sources = [one_source("t", "s", Some(-0.5)), one_source("u", "v", Some(0.5))];
    let counts = ServerMetrics { seconds: 1.0, chunks: 2, llm_calls: 2, cloud_calls: 0 };
    let evidence = rendered(&render("x", &sources, &counts));
    assert_eq!(
        canonical(&evidence.sources.into()),
        r#"[{"score":-0.5,"snippet":"s","title":"t"},{"score":0.5,"snippet":"v","title":"u"}]"#
    );
    assert_eq!(evidence.contexts, ["s", "v"]);
}

#[test]
fn source_looking_text_counts_only_when_there_is_no_source_block() {
    let answer = "Intro\n\n**1. Fake**\n\n> quoted\n\n**2. More** text";
    let counts = ServerMetrics { seconds: 1.0, chunks: 1, llm_calls: 1, cloud_calls: 0 };
    let evidence = rendered(&render(answer, &[one_source("r.md", "real", None)], &counts));
    assert_eq!((evidence.answer.as_str(), evidence.contexts), (answer, vec!["real".to_owned()]));

    let evidence = rendered(answer);
    assert_eq!((evidence.answer.as_str(), evidence.contexts), (answer, vec!["quoted".to_owned()]));
}

#[test]
fn entries_are_cut_where_the_format_says() {
    let cut = rendered(&block("**1. a**\n\n> one\n\n**3. two"));
    assert_eq!(cut.contexts, ["one"]);
    let blank = rendered(&block("**1. a**\n\n>  \n\n**2. b** · score 84\n\n>two"));
    assert_eq!(
        canonical(&blank.sources.into()),
        r#"[{"score":null,"snippet":"","title":"a"},{"score":84.0,"snippet":"two","title":"b"}]"#
    );
    assert_eq!(blank.contexts, ["two"]);
    let open = rendered("a\n\n<details><summary>🔎 Retrieved context (1 source)</summary>\n\n**1. a**\n\n> one\n");
    assert!(open.sources.is_empty());
    let nested = format!("{}\n\n{}", block("**1. a**\n\n> one"), block("**1. b**\n\n> two"));
    assert_eq!(rendered(&nested).contexts, ["one", "two"]);
    assert_eq!(rendered(&nested).answer, "answer");
}

#[test]
fn hostile_text_costs_no_more_than_its_length() {
    // A reader that starts over at every entry would look at 10^11 characters here.
    let content = format!("{}\n\n</details>", "**1. ".repeat(200_000));
    assert!(rendered(&content).sources.is_empty());
    let content = format!("{}\n\n> s\n\n</details>", "**1. t** ".repeat(100_000));
    assert_eq!(rendered(&content).contexts, ["s"]);
}

#[test]
fn well_typed_parts_of_the_extension_replace_the_rendering() {
    let content = block("**1. a**\n\n> b");
    let only_version = structured(&content, json!({"schema_version": 1}));
    assert_eq!((only_version.answer.as_str(), only_version.contexts), ("answer", vec!["b".to_owned()]));
    assert_eq!(only_version.transport.as_deref(), Some("structured"));
    assert!(only_version.approach_metadata.is_empty());

    assert_eq!(structured(&content, json!({"schema_version": 1, "answer": ""})).answer, "");
    assert_eq!(structured(&content, json!({"schema_version": 1, "answer": "  a \n"})).answer, "  a \n");
    assert_eq!(structured(&content, json!({"schema_version": 1, "answer": 5})).answer, "answer");
    assert!(structured(&content, json!({"schema_version": 1, "sources": []})).contexts.is_empty());
    assert_eq!(structured(&content, json!({"schema_version": 1, "sources": null})).contexts, ["b"]);
    assert!(metrics(&structured(&content, json!({"schema_version": 1, "metrics": [1]}))).contains("llm_calls"));
    assert_eq!(metrics(&structured(&content, json!({"schema_version": 1, "metrics": {}}))), "{}");
    let extra = structured(&content, json!({"schema_version": 1, "lazy_graph": {"a": 1}, "adaptive": null}));
    assert_eq!(canonical(&extra.approach_metadata.into()), r#"{"adaptive":null,"lazy_graph":{"a":1}}"#);
}

#[test]
fn source_entries_of_the_extension_are_kept_when_their_snippet_is_text() {
    let sources = json!([
        1, "bad", {"title": "x"}, {"snippet": null}, {"title": null, "snippet": ""}, {"title": 5, "snippet": " "},
        {"title": "t", "snippet": "s", "score": "0.3", "extra": 1}, {"title": 0, "snippet": "z"}
    ]);
    let evidence = structured("x", json!({"schema_version": 1, "sources": sources}));
    assert_eq!(
        canonical(&evidence.sources.into()),
        concat!(
            r#"[{"score":null,"snippet":"","title":""},{"score":null,"snippet":" ","title":"5"},"#,
            r#"{"score":"0.3","snippet":"s","title":"t"},{"score":null,"snippet":"z","title":""}]"#
        )
    );
    assert_eq!(evidence.contexts, [" ", "s", "z"]);
}

#[test]
fn only_schema_one_is_read() {
    for (version, transport) in [
        ("1", "structured"),
        ("1.0", "structured"),
        ("true", "structured"),
        ("2", "rendered"),
        ("\"1\"", "rendered"),
        ("false", "rendered"),
        ("null", "rendered"),
    ] {
        let version: Value = serde_json::from_str(version).unwrap();
        let evidence = structured("shown", json!({"schema_version": version, "answer": "A", "more": 1}));
        assert_eq!(evidence.transport.as_deref(), Some(transport), "{version}");
        assert_eq!(evidence.answer, if transport == "structured" { "A" } else { "shown" });
        assert_eq!(evidence.approach_metadata.is_empty(), transport == "rendered");
    }
}

#[test]
fn an_extension_that_a_proxy_moved_into_the_message_is_found() {
    let fields = json!({"rag_showcase": {"schema_version": 1, "answer": "A", "sources": [{"snippet": "s"}]}});
    let message = json!({"content": "shown", "provider_specific_fields": fields});
    let evidence = normalised(&json!({"choices": [{"message": message.clone()}]})).unwrap();
    assert_eq!((evidence.answer.as_str(), evidence.contexts), ("A", vec!["s".to_owned()]));
    let both = json!({"choices": [{"message": message}], "rag_showcase": {"schema_version": 1, "answer": "top"}});
    assert_eq!(normalised(&both).unwrap().answer, "top");
}

#[test]
fn identity_and_usage_are_passed_through_and_unknown_usage_stays_unknown() {
    let extra = json!({"usage": {"prompt_tokens": "5"}, "id": 5, "model": ["odd"]});
    let evidence = normalised(&completion(&"x".into(), &extra)).unwrap();
    assert_eq!(canonical(&evidence.token_usage.into()), r#"{"prompt_tokens":"5"}"#);
    assert_eq!((evidence.response_id, evidence.response_model), (json!(5), json!(["odd"])));
    for usage in [json!({}), json!({"usage": null}), json!({"usage": [1]})] {
        let evidence = normalised(&completion(&"x".into(), &usage)).unwrap();
        assert!(evidence.token_usage.is_empty());
        assert_eq!((evidence.response_id, evidence.response_model), (Value::Null, Value::Null));
    }
}

#[test]
fn payloads_without_a_text_answer_cannot_be_normalised() {
    for payload in [
        json!(null),
        json!([1]),
        json!("text"),
        json!({}),
        json!({"choices": []}),
        json!({"choices": null}),
        json!({"choices": {"0": {"message": {"content": "x"}}}}),
        json!({"choices": [{"message": null}]}),
        json!({"choices": [{"message": {"content": null}}]}),
        json!({"choices": [{"message": {"content": ["x"]}}]}),
    ] {
        assert!(normalised(&payload).is_err(), "{payload}");
    }
}

#[test]
fn a_missing_answer_says_why_it_is_missing() {
    for (choice, reason) in [
        (
            json!({"message": {"content": null, "reasoning_content": "It opens at 9."}, "finish_reason": "length"}),
            "truncated",
        ),
        (json!({"message": {"content": null, "reasoning_content": "hm"}, "finish_reason": "stop"}), "reasoning_only"),
        (json!({"message": {"content": null, "refusal": "no"}, "finish_reason": "content_filter"}), "refused"),
        (json!({"message": {"tool_calls": [{"id": "t1"}]}, "finish_reason": "tool_calls"}), "tool_call"),
    ] {
        let error = normalised(&json!({"choices": [choice]})).unwrap_err().to_string();
        assert_eq!(error, format!("empty answer: {reason}"));
    }
    let empty = json!({"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]});
    assert_eq!(normalised(&empty).unwrap().answer, "");
}

#[test]
fn bodies_that_are_not_acceptable_json_are_decode_errors() {
    let deep = format!("{{\"usage\":{{\"extra\":{}{}}}}}", "[".repeat(300), "]".repeat(300));
    let storable = format!("{{\"usage\":{}1{}}}", "[".repeat(110), "]".repeat(110));
    for body in [
        "",
        "<html>busy</html>",
        "{\"a\":1",
        r#"{"choices":[{"message":{"content":"ok \ud83d end"}}]}"#,
        r#"{"usage":NaN}"#,
        r#"{"a":1,"a":2}"#,
        &deep,
        &storable,
    ] {
        let failure = parse_body(body.as_bytes(), None).unwrap_err();
        assert_eq!(failure.kind, FailureKind::JsonDecode, "{body}");
        assert!(failure.is_retriable());
    }
    assert_eq!(parse_body(b"\xff{}", None).unwrap_err().kind, FailureKind::JsonDecode);
    let html = parse_body(b"<html>busy</html>", None).unwrap_err().message;
    assert!(html.contains("<html>busy</html>"), "{html}");
    let pair = parse_body(br#"{"choices":[{"message":{"content":"\ud83c\udf3f"}}]}"#, None).unwrap();
    assert_eq!(normalised(&pair).unwrap().answer, "🌿");
}

#[test]
fn an_error_object_with_status_200_fails_as_the_status_it_names() {
    for (body, status, retriable) in [
        (json!({"error": {"code": 429, "message": "slow down"}, "choices": null}), 429, true),
        (json!({"error": {"code": "404", "message": "no such model"}}), 404, false),
        (json!({"error": {"status": 503}}), 503, true),
        (json!({"error": {"code": "overloaded"}}), 502, true),
        (json!({"error": "boom"}), 502, true),
    ] {
        let failure = parse_body(body.to_string().as_bytes(), Some(2.0)).unwrap_err();
        assert_eq!((failure.kind, failure.status), (FailureKind::HttpStatus, Some(status)), "{body}");
        assert_eq!((failure.is_retriable(), failure.retry_after_s), (retriable, Some(2.0)));
    }
    for harmless in [json!({"error": null}), json!({"error": {}}), completion(&"x".into(), &json!({"error": "note"}))] {
        assert!(parse_body(harmless.to_string().as_bytes(), None).is_ok(), "{harmless}");
    }
}
