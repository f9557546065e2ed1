//! A chat model that is asked once: group J of the bug reports, seen from a gateway as client of a provider.

use super::{KEY, chat, question, settings};
use crate::stub::{Reply, Stub};
use ragsql::gateway::remote::{ChatClient, Completion};
use ragsql::gateway::roles::{Fault, RoleError, Usage};
use ragsql::wire::empty::EmptyAnswer;
use serde_json::{Value, json};
use std::sync::Arc;

fn reply(message: Value, finish_reason: &str) -> Value {
    json!({"model": "heron", "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}]})
}

/// What the text of one reply is, or why there is none.
async fn ask(body: impl Into<String>) -> (Result<Completion, RoleError>, Result<String, RoleError>) {
    let body = body.into();
    let stub = Stub::start(move |_| Reply::text(200, &body)).await;
    let client = chat(&stub);
    let completion = client.complete(&question(), &[]).await;
    let answer = completion.clone().and_then(|completion| client.answer_of(&completion));
    (completion, answer)
}

#[tokio::test]
async fn the_request_is_model_messages_and_temperature_zero_and_defaults_come_on_top() {
    let stub = Stub::start(|_| Reply::answer("noon")).await;
    let mut settings = settings(&stub);
    chat(&stub).complete(&question(), &[]).await.unwrap();
    settings.request_defaults =
        json!({"think": false, "temperature": 0.5, "options": {"num_ctx": 8192}}).as_object().unwrap().clone();
    settings.api_key = Some(KEY.to_owned());
    let tool = json!({"type": "function", "function": {"name": "look"}});
    ChatClient::new(&settings).unwrap().complete(&question(), std::slice::from_ref(&tool)).await.unwrap();
    let seen = stub.seen();
    assert_eq!(seen[0].path, "/v1/chat/completions");
    assert_eq!(seen[0].body, json!({"model": "heron", "messages": question(), "temperature": 0}));
    assert_eq!(seen[0].header("authorization"), "");
    assert_eq!(
        seen[1].body,
        json!({
            "model": "heron", "messages": question(), "temperature": 0.5, "tools": [tool],
            "think": false, "options": {"num_ctx": 8192},
        })
    );
    assert_eq!(seen[1].header("authorization"), format!("Bearer {KEY}"));
}

#[tokio::test]
async fn j4_usage_that_is_missing_stays_unknown() {
    for (usage, expected) in [
        (json!(null), None),
        (json!({"prompt_tokens": 5}), Some(Usage { prompt_tokens: Some(5), ..Usage::default() })),
        (json!({"prompt_tokens": "5"}), None),
    ] {
        let mut body = reply(json!({"content": "noon"}), "stop");
        body["usage"] = usage;
        assert_eq!(ask(body.to_string()).await.0.unwrap().usage, expected, "{body}");
    }
    assert_eq!(ask(reply(json!({"content": "noon"}), "stop").to_string()).await.0.unwrap().usage, None);
}

#[tokio::test]
async fn j5_and_j6_reasoning_refusals_and_cuts_are_no_answers_and_say_why() {
    let pool = "The pool opens at 9.";
    for (message, finish_reason, reason, said) in [
        (json!({"content": null, "reasoning_content": pool}), "length", EmptyAnswer::Truncated, pool),
        (json!({"content": "", "reasoning_content": pool}), "stop", EmptyAnswer::ReasoningOnly, pool),
        (json!({"content": "", "reasoning": pool}), "stop", EmptyAnswer::ReasoningOnly, pool),
        (json!({"content": format!("<think>{pool}</think>\n")}), "stop", EmptyAnswer::ReasoningOnly, pool),
        (json!({"content": format!("<think>{pool}")}), "length", EmptyAnswer::Truncated, pool),
        (json!({"content": null, "refusal": "no"}), "content_filter", EmptyAnswer::Refused, "no"),
        (json!({"content": null}), "content_filter", EmptyAnswer::Refused, ""),
        (json!({"content": null, "tool_calls": [{"id": "1"}]}), "tool_calls", EmptyAnswer::ToolCall, ""),
    ] {
        let body = reply(message, finish_reason);
        let (completion, answer) = ask(body.to_string()).await;
        assert!(completion.is_ok(), "{body}");
        let fault = Fault::Empty { reason, said: said.to_owned() };
        let error = answer.unwrap_err();
        assert_eq!(error.fault, fault, "{body}");
        assert_eq!(error.message, format!("it gave no answer: {reason}"));
    }
}

#[tokio::test]
async fn an_answer_that_ended_of_its_own_accord_may_be_empty_but_not_missing() {
    assert_eq!(ask(reply(json!({"content": ""}), "stop").to_string()).await.1.unwrap(), "");
    let error = ask(reply(json!({"content": null}), "stop").to_string()).await.1.unwrap_err();
    assert_eq!((error.message.as_str(), error.fault), ("its message has no content", Fault::Failed));
    let error = ask(reply(json!({"content": [{"text": "x"}]}), "stop").to_string()).await.1.unwrap_err();
    assert_eq!(error.message, "the completion has no content that is text");
}

#[tokio::test]
async fn reasoning_in_front_of_the_answer_is_kept_apart_from_it() {
    let (completion, answer) = ask(reply(json!({"content": "<think>hm</think>\n\nnoon"}), "stop").to_string()).await;
    assert_eq!(answer.unwrap(), "noon");
    let completion = completion.unwrap();
    assert_eq!(completion.reasoning, "hm");
    assert_eq!(Value::Object(completion.details()), json!({"model": "heron", "reasoning_chars": 2}));
}

#[tokio::test]
async fn j7_an_error_with_status_200_is_the_error_it_names() {
    let error = ask(r#"{"error":{"code":429,"message":"slow down"},"choices":null}"#).await.1.unwrap_err();
    assert_eq!(error.fault, Fault::RateLimited { retry_after_s: None });
    assert_eq!(error.message, "status 200 wrapped error 429: slow down");
    let error = ask(r#"{"choices":[]}"#).await.1.unwrap_err();
    assert_eq!((error.message.as_str(), error.fault), ("the completion has no choice", Fault::Failed));
    let error = ask("<html>\n<h1>Bad Gateway</h1>").await.1.unwrap_err();
    assert!(error.message.contains("not acceptable JSON"), "{error}");
    assert!(error.message.ends_with("it begins with `<html> <h1>Bad Gateway</h1>`"), "{error}");
}

#[tokio::test]
async fn a_refusal_for_load_is_waited_out_and_one_beyond_the_deadline_is_told_at_once() {
    let stub = Stub::start(|seen| match seen.number {
        0 => Reply::status(429).with("retry-after", "0"),
        1 => Reply::json(json!({"error": {"code": 503}})),
        _ => Reply::answer("noon"),
    })
    .await;
    let mut patient = settings(&stub);
    patient.retries = 2;
    let completion = ChatClient::new(&patient).unwrap().complete(&question(), &[]).await.unwrap();
    assert_eq!((completion.text.as_deref(), stub.count()), (Some("noon"), 3));

    let stub = Stub::start(|_| Reply::status(429).with("retry-after", "120")).await;
    let mut patient = settings(&stub);
    patient.retries = 2;
    let error = ChatClient::new(&patient).unwrap().complete(&question(), &[]).await.unwrap_err();
    assert_eq!(error.fault, Fault::RateLimited { retry_after_s: Some(120.0) });
    assert_eq!(stub.count(), 1);
}

#[tokio::test]
async fn j10_extra_fields_come_only_by_configuration_and_a_400_is_final_and_names_the_field() {
    let stub = Stub::start(|seen| {
        let fields = seen.body.as_object().unwrap();
        match fields.keys().find(|name| !["model", "messages"].contains(&name.as_str())) {
            Some(name) => Reply::text(400, &format!("{{\"error\": {{\"message\": \"unknown field {name}\"}}}}")),
            None => Reply::answer("noon"),
        }
    })
    .await;
    let mut settings = settings(&stub);
    settings.retries = 3;
    let error = ChatClient::new(&settings).unwrap().complete(&question(), &[]).await.unwrap_err();
    assert!(
        error.message.contains("400 Bad Request") && error.message.contains("unknown field temperature"),
        "{error}"
    );
    assert_eq!(stub.count(), 1);
    settings.request_defaults.insert("temperature".to_owned(), Value::Null);
    let completion = ChatClient::new(&settings).unwrap().complete(&question(), &[]).await.unwrap();
    assert_eq!(completion.text.as_deref(), Some("noon"));
}

#[tokio::test]
async fn j11_the_model_that_answered_is_kept_beside_the_one_that_was_asked() {
    let mut body = reply(json!({"content": "noon"}), "length");
    body["model"] = json!("osprey");
    let details = ask(body.to_string()).await.0.unwrap().details();
    assert_eq!(Value::Object(details), json!({"model": "osprey", "finish_reason": "length"}));
}

#[tokio::test]
async fn e1_half_a_surrogate_pair_costs_one_character_and_is_marked() {
    let body = |text: &str| format!(r#"{{"choices":[{{"message":{{"content":"{text}"}}}}]}}"#);
    let completion = ask(body("ok \\ud83d end")).await.0.unwrap();
    assert_eq!((completion.text.as_deref(), completion.lossy_text), (Some("ok \u{fffd} end"), true));
    assert_eq!(completion.details()["lossy_text"], true);
    let completion = ask(body("\\ud83c\\udf3f")).await.0.unwrap();
    assert_eq!((completion.text.as_deref(), completion.lossy_text), (Some("\u{1f33f}"), false));
}

#[tokio::test]
async fn a_key_that_a_provider_echoes_is_never_shown() {
    for (status, body) in [
        (500, format!("no {KEY} here")),
        (401, format!("{{\"error\": {{\"message\": \"wrong key {KEY}\"}}}}")),
        (200, format!("{{\"error\": {{\"code\": 401, \"message\": \"wrong key {KEY}\"}}}}")),
        (200, format!("<p>{KEY}</p>")),
    ] {
        let shown = body.clone();
        let stub = Stub::start(move |_| Reply::text(status, &body)).await;
        let mut settings = settings(&stub);
        settings.api_key = Some(KEY.to_owned());
        let error = ChatClient::new(&settings).unwrap().complete(&question(), &[]).await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains(KEY), "{shown}");
        assert!(error.message.contains("***"), "{shown}: {error}");
    }
}

#[tokio::test]
async fn no_more_calls_are_in_flight_than_allowed() {
    let stub = Stub::start(|_| Reply::answer("noon").after_ms(30)).await;
    let mut settings = settings(&stub);
    settings.max_concurrency = 3;
    let client = Arc::new(ChatClient::new(&settings).unwrap());
    let calls = (0..12).map(|_| {
        let client = Arc::clone(&client);
        tokio::spawn(async move { client.complete(&question(), &[]).await.map(drop) })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap().unwrap();
    }
    let most = stub.seen().iter().map(|seen| seen.in_flight).max();
    assert_eq!((stub.count(), most), (12, Some(3)));
}

#[tokio::test]
async fn the_deadline_holds_for_silence_and_for_blanks_without_end() {
    for script in [Reply::Hang, Reply::Trickle] {
        let stub = Stub::start(move |_| script.clone()).await;
        let mut settings = settings(&stub);
        (settings.timeout_s, settings.retries) = (0.2, 5);
        let error = ChatClient::new(&settings).unwrap().complete(&question(), &[]).await.unwrap_err();
        assert_eq!(error.fault, Fault::Timeout, "{error}");
    }
}
