//! Where services put what they retrieved, and what it means when they do not (bug-report J8).

use ragsql::experiment::connection::DEFAULT_CONTEXTS;
use ragsql::runner::completion::{Contexts, normalise};
use serde_json::{Value, json};

fn read(mut payload: Value, pointers: &[&str]) -> (Vec<String>, Value, Contexts, Value) {
    if payload.pointer("/choices/0/message/content").is_none() {
        payload["choices"][0]["message"]["content"] = "Noon.".into();
    }
    let (evidence, contexts) = normalise(&payload, pointers).unwrap();
    assert_eq!(evidence.answer, "Noon.");
    (evidence.contexts, evidence.sources.into(), contexts, evidence.approach_metadata.into())
}

fn message(fields: Value) -> Value {
    json!({"choices": [{"message": fields}]})
}

#[test]
fn the_same_contexts_are_found_at_the_top_in_the_message_and_where_litellm_puts_them() {
    let sources = json!([{"title": "ferry.md", "text": "It leaves at noon.", "score": 0.5}]);
    for (payload, pointer) in [
        (json!({"choices": [{"message": {}}], "sources": sources}), "/sources"),
        (json!({"choices": [{"message": {}}], "citations": sources}), "/citations"),
        (message(json!({"sources": sources})), "/choices/0/message/sources"),
        (
            message(json!({"provider_specific_fields": {"sources": sources}})),
            "/choices/0/message/provider_specific_fields/sources",
        ),
        (message(json!({"context": {"citations": sources}})), "/choices/0/message/context/citations"),
    ] {
        let (contexts, found, state, metadata) = read(payload, &DEFAULT_CONTEXTS);
        assert_eq!((contexts, state), (vec!["It leaves at noon.".to_owned()], Contexts::Told), "{pointer}");
        assert_eq!(found, json!([{"title": "ferry.md", "snippet": "It leaves at noon.", "score": 0.5}]), "{pointer}");
        assert_eq!(metadata, json!({"contexts_pointer": pointer}));
    }
}

#[test]
fn absent_contexts_are_missing_and_an_empty_list_is_not() {
    let none = json!({"choices": [{"message": {}}]});
    assert_eq!(read(none.clone(), &DEFAULT_CONTEXTS).2, Contexts::Missing);
    let mut empty = none.clone();
    empty["sources"] = json!([]);
    assert_eq!(read(empty.clone(), &DEFAULT_CONTEXTS).2, Contexts::Told);
    assert_eq!(read(empty, &["/elsewhere"]).2, Contexts::Missing);
    for useless in [json!(null), json!("text"), json!({"a": 1}), json!([1, null]), json!([{"n": 1}])] {
        let mut payload = none.clone();
        payload["sources"] = useless.clone();
        assert_eq!(read(payload, &DEFAULT_CONTEXTS).2, Contexts::Missing, "{useless}");
    }
}

#[test]
fn links_are_titles_and_no_contexts() {
    let payload = json!({"choices": [{"message": {}}], "citations": ["https://harbour.example/ferry"]});
    let (contexts, sources, state, _) = read(payload, &DEFAULT_CONTEXTS);
    assert_eq!((contexts.len(), state), (0, Contexts::Missing));
    assert_eq!(sources, json!([{"title": "https://harbour.example/ferry", "snippet": "", "score": null}]));
}

#[test]
fn the_shapes_of_frameworks_are_read() {
    for (entry, title, snippet, score) in [
        (json!("It leaves at noon."), "", "It leaves at noon.", json!(null)),
        (json!({"page_content": "t", "metadata": {"source": "a.md"}}), "a.md", "t", json!(null)),
        (json!({"node": {"text": "t", "metadata": {"file_name": "a.md"}}, "score": 0.25}), "a.md", "t", json!(0.25)),
        (json!({"document": {"page_content": "t", "metadata": {"source": "a.md"}}}), "a.md", "t", json!(null)),
        (json!({"id": 7, "content": "t", "score": "high"}), "7", "t", json!(null)),
        (json!({"title": "", "filepath": "a.md", "content": "t"}), "a.md", "t", json!(null)),
    ] {
        let payload = json!({"choices": [{"message": {}}], "sources": [entry]});
        let found = read(payload, &DEFAULT_CONTEXTS).1;
        assert_eq!(found, json!([{"title": title, "snippet": snippet, "score": score}]));
    }
}

#[test]
fn the_first_pointer_that_leads_to_a_list_wins_and_our_extension_wins_over_all() {
    let mut payload = json!({"choices": [{"message": {}}], "first": ["text one"], "second": ["text two"]});
    assert_eq!(read(payload.clone(), &["/absent", "/second", "/first"]).0, ["text two"]);
    payload["rag_showcase"] = json!({"schema_version": 1, "sources": []});
    assert_eq!(read(payload.clone(), &["/second"]).0.len(), 0);
    assert_eq!(read(payload.clone(), &["/second"]).2, Contexts::Told);
    payload["rag_showcase"] = json!({"schema_version": 1, "metrics": {}});
    assert_eq!(read(payload, &["/second"]).0, ["text two"]);
}

#[test]
fn a_list_with_texts_is_taken_before_lists_of_titles_alone() {
    let citations = json!(["ferry.md", "doc-17", "https://harbour.example/ferry"]);
    let texts = json!([{"title": "ferry.md", "text": "It leaves at noon."}]);
    let payload = json!({"choices": [{"message": {}}], "sources": citations, "citations": texts});
    let (contexts, _, state, metadata) = read(payload, &DEFAULT_CONTEXTS);
    assert_eq!((contexts, state), (vec!["It leaves at noon.".to_owned()], Contexts::Told));
    assert_eq!(metadata, json!({"contexts_pointer": "/citations"}));
    let alone = json!({"choices": [{"message": {}}], "sources": [], "citations": citations});
    assert_eq!(read(alone, &["/citations", "/sources"]).3, json!({"contexts_pointer": "/citations"}));
}

#[test]
fn a_plain_string_is_a_title_when_it_has_no_blank_and_a_text_otherwise() {
    for (text, is_text) in [
        ("ferry.md", false),
        ("harbour/ferry.md#3", false),
        ("3f2c-17", false),
        ("It leaves at noon.", true),
        ("two\nlines", true),
        ("\u{6e2d}\u{8239}\u{6b63}\u{5348}\u{8d77}\u{822a}\u{3002}", true),
    ] {
        let payload = json!({"choices": [{"message": {}}], "sources": [text]});
        let (contexts, sources, state, _) = read(payload, &DEFAULT_CONTEXTS);
        assert_eq!((contexts.len() == 1, state == Contexts::Told), (is_text, is_text), "{text}");
        assert_eq!(sources[0][if is_text { "snippet" } else { "title" }], text);
    }
}

#[test]
fn an_answer_cannot_say_of_itself_what_the_runner_finds_out() {
    let extension = json!({
        "schema_version": 1, "sources": [{"title": "a", "snippet": "It leaves at noon."}],
        "contexts_missing": true, "contexts_pointer": "/forged", "mine": 1,
    });
    let payload = json!({"choices": [{"message": {}}], "rag_showcase": extension});
    let (contexts, _, state, metadata) = read(payload, &DEFAULT_CONTEXTS);
    assert_eq!((contexts.len(), state, metadata), (1, Contexts::Told, json!({"mine": 1})));
}
