//! The chat completion around a reply: where there is no text, there is a reason.

use ragsql::panel::reply::{Reason, open};
use serde_json::{Value, json};

#[track_caller]
fn assert_nothing(body: Value, reason: Reason) {
    let nothing = open(body.to_string().as_bytes()).expect_err(&body.to_string());
    assert_eq!(nothing.reason, reason, "{body}");
    assert!(!nothing.detail.is_empty());
}

fn choice(message: Value, finish: &str) -> Value {
    json!({"model": "m", "choices": [{"finish_reason": finish, "message": message}]})
}

#[test]
fn null_content_never_becomes_a_word() {
    let call = json!([{"id": "t1", "type": "function", "function": {"name": "grade", "arguments": "{}"}}]);
    assert_nothing(choice(json!({"content": null, "tool_calls": call}), "tool_calls"), Reason::ToolCall);
    assert_nothing(choice(json!({"content": null, "refusal": "no"}), "content_filter"), Reason::Refused);
    assert_nothing(choice(json!({"content": null}), "content_filter"), Reason::Refused);
    assert_nothing(choice(json!({"content": null, "reasoning_content": "A is good."}), "length"), Reason::Truncated);
    assert_nothing(choice(json!({"content": "", "reasoning_content": "A is good."}), "stop"), Reason::Empty);
    assert_nothing(choice(json!({"content": " \n"}), "stop"), Reason::Empty);
    assert_nothing(choice(Value::Null, "stop"), Reason::Empty);
    assert_nothing(choice(json!({"content": 4}), "stop"), Reason::Empty);
}

#[test]
fn an_error_inside_a_200_is_a_failed_call() {
    assert_nothing(json!({"error": {"code": 429, "message": "slow down"}, "choices": null}), Reason::RateLimited);
    assert_nothing(json!({"error": {"code": "rate_limit_exceeded"}}), Reason::RateLimited);
    assert_nothing(json!({"error": {"code": 502}}), Reason::GatewayError);
    assert_nothing(json!({"error": "boom"}), Reason::GatewayError);
    for body in [json!({"choices": []}), json!({"choices": null}), json!({}), json!([]), json!({"choices": [3]})] {
        assert_nothing(body, Reason::GatewayError);
    }
    for body in [&b"<html>5 of 5</html>"[..], b"", b"\xff\xfe", b"{\"choices\":[{\"message\":{\"content\":\"x"] {
        assert_eq!(open(body).unwrap_err().reason, Reason::GatewayError);
    }
}

#[test]
fn text_comes_as_a_string_or_as_parts() {
    let plain = open(choice(json!({"content": "hello", "tool_calls": []}), "stop").to_string().as_bytes()).unwrap();
    assert_eq!(
        (plain.content.as_str(), plain.finish_reason.as_deref(), plain.model.as_deref()),
        ("hello", Some("stop"), Some("m"))
    );
    let parts =
        json!({"content": [{"type": "text", "text": "hel"}, {"type": "image"}, {"type": "text", "text": "lo"}]});
    assert_eq!(open(choice(parts, "stop").to_string().as_bytes()).unwrap().content, "hello");
    let bare = json!({"error": null, "choices": [{"message": {"content": "hi"}}]});
    assert_eq!(open(bare.to_string().as_bytes()).unwrap().finish_reason, None);
}
