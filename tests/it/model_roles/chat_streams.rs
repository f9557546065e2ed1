//! A chat model that streams: J1 to J3 and J7 of the bug reports, and streams that break off.

use super::{chat, question, settings};
use crate::stub::{Reply, Stub};
use ragsql::gateway::remote::{ChatClient, Completion};
use ragsql::gateway::roles::{RoleError, Usage};
use serde_json::json;
use tokio::sync::mpsc;

const NOON: &str = concat!(
    "data: {\"choices\":[{\"delta\":{\"content\":\"No\"}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"content\":\"on\"}}]}\n\n",
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":2}}\n\n",
    "data: {\"choices\":null}\n\n",
    "data: [DONE]\n\n",
);

/// The completion of a stream, and its pieces.
async fn stream(reply: Reply) -> (Result<Completion, RoleError>, Vec<String>) {
    let stub = Stub::start(move |_| reply.clone()).await;
    let (pieces, mut received) = mpsc::channel(1_000);
    let result = chat(&stub).stream(&question(), &pieces).await;
    drop(pieces);
    let mut told = Vec::new();
    while let Some(piece) = received.recv().await {
        told.push(piece);
    }
    (result, told)
}

fn byte_by_byte(text: &str) -> Reply {
    Reply::Events { pieces: text.bytes().map(|byte| vec![byte]).collect(), gate: None }
}

#[tokio::test]
async fn j1_chunks_about_usage_end_no_answer() {
    let (completion, told) = stream(Reply::events(NOON)).await;
    let completion = completion.unwrap();
    assert_eq!((completion.text.as_deref(), completion.empty), (Some("Noon"), None));
    let usage = Usage { prompt_tokens: Some(4), completion_tokens: Some(2), total_tokens: None };
    assert_eq!(completion.usage, Some(usage));
    assert_eq!(told, ["No", "on"]);
}

#[tokio::test]
async fn j2_keep_alives_say_nothing_and_a_malformed_one_is_counted() {
    let alive = format!("{}data: : still working\n\n{NOON}", ": still working\n\n".repeat(3));
    for text in [alive.clone(), alive.replace('\n', "\r\n")] {
        let (completion, told) = stream(Reply::events(&text)).await;
        let completion = completion.unwrap();
        assert_eq!((completion.text.as_deref(), completion.malformed_event_n), (Some("Noon"), 1));
        assert_eq!(completion.details()["malformed_events"], 1);
        assert_eq!(told, ["No", "on"]);
    }
}

#[tokio::test]
async fn j3_a_stream_cut_anywhere_reads_like_one_in_a_single_piece() {
    let korean = NOON.replace("\"No\"", "\"정오에 \"").replace("\"on\"", "\"문을 연다\"");
    let (whole, told) = stream(Reply::events(&korean)).await;
    let (cut, told_cut) = stream(byte_by_byte(&korean)).await;
    assert_eq!(whole.as_ref().unwrap().text.as_deref(), Some("정오에 문을 연다"));
    assert_eq!(whole.unwrap(), cut.unwrap());
    assert_eq!(told, told_cut);
}

#[tokio::test]
async fn j7_an_error_in_the_middle_is_the_error_it_names_and_no_answer() {
    let text = "data: {\"choices\":[{\"delta\":{\"content\":\"No\"}}]}\n\ndata: {\"error\":{\"code\":502}}\n\n";
    let (result, told) = stream(Reply::events(text)).await;
    assert_eq!(result.unwrap_err().message.trim_end(), "status 200 wrapped error 502:");
    assert_eq!(told, ["No"]);
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_no_answer_and_one_without_the_mark_is() {
    let begun = "data: {\"choices\":[{\"delta\":{\"content\":\"No\"}}]}\n\n";
    let (result, _) = stream(Reply::events(begun)).await;
    assert_eq!(result.unwrap_err().message, "the stream ended before the answer was complete");
    let (result, _) = stream(Reply::events("")).await;
    assert!(result.is_err());
    let ended = format!("{begun}data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"length\"}}]}}");
    let (result, _) = stream(Reply::events(&ended)).await;
    let completion = result.unwrap();
    assert_eq!((completion.text.as_deref(), completion.finish_reason.as_deref()), (Some("No"), Some("length")));
}

#[tokio::test]
async fn reasoning_is_not_handed_over() {
    let text = concat!(
        "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"<thi\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"nk>so</think>\\n\\nNo\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"on\"}}]}\n\n",
        "data: [DONE]\n\n",
    );
    let (completion, told) = stream(byte_by_byte(text)).await;
    let completion = completion.unwrap();
    assert_eq!((completion.text.as_deref(), completion.reasoning.as_str()), (Some("Noon"), "hmso"));
    assert_eq!(told, ["No", "on"]);
}

#[tokio::test]
async fn before_the_first_piece_a_stream_is_tried_again_and_after_it_never() {
    let stub = Stub::start(|seen| match seen.number {
        0 => Reply::status(503),
        1 => Reply::events("data: {\"error\":{\"code\":503}}\n\n"),
        2 => Reply::events("data: {\"choices\":[{\"delta\":{\"content\":\"No\"}}]}\n\n"),
        _ => Reply::events(NOON),
    })
    .await;
    let mut settings = settings(&stub);
    settings.retries = 5;
    let (pieces, mut received) = mpsc::channel(10);
    let result = ChatClient::new(&settings).unwrap().stream(&question(), &pieces).await;
    assert_eq!(result.unwrap_err().message, "the stream ended before the answer was complete");
    assert_eq!((received.recv().await.as_deref(), stub.count()), (Some("No"), 3));
    let asked = &stub.seen()[0].body;
    assert_eq!((&asked["stream"], &asked["stream_options"]), (&json!(true), &json!({"include_usage": true})));
}

#[tokio::test]
async fn a_provider_that_does_not_stream_is_read_whole() {
    let (completion, told) = stream(Reply::answer("noon")).await;
    assert_eq!(completion.unwrap().text.as_deref(), Some("noon"));
    assert!(told.is_empty());
}
