//! A panel that was killed, and a panel that is finished.

use super::stub::{Reply, Stub, input, judge, plan, verdict};
use ragsql::panel::artifact::{encode, judgments};
use ragsql::panel::prompt::Template;
use ragsql::panel::run::run;
use ragsql::panel::store::Store;
use ragsql::panel::verdict::Verdict;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

fn by_text(_: usize, text: &str) -> f64 {
    1.0 + (text.len() % 5) as f64
}

#[tokio::test]
async fn a_killed_panel_continues_and_a_finished_one_makes_no_call() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.jsonl");
    let plan = plan(input(6, &["x", "why", "zebra"]), &["j1", "j2"]);
    let whole = {
        let stub = Stub::start(|_, seen| verdict(seen, by_text)).await;
        let outcome = judge(&plan, &stub.address, &folder.path().join("other.jsonl")).await;
        encode(&judgments(&plan.input, &plan.settings, &outcome.verdicts)).unwrap()
    };
    let stub = Stub::start(|number, seen| if number < 7 { verdict(seen, by_text) } else { Reply::Silence }).await;
    let heard = AtomicUsize::new(0);
    let template = Template::built_in().unwrap();
    let count = |_: &Verdict| {
        heard.fetch_add(1, Ordering::SeqCst);
    };
    let running = run(&plan, &stub.address, &template, &path, &count);
    let killed = async {
        while heard.load(Ordering::SeqCst) < 7 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = running => panic!("the stub is silent after seven calls"),
        () = killed => {}
    }

    let stub = Stub::start(|_, seen| verdict(seen, by_text)).await;
    let again = judge(&plan, &stub.address, &path).await;
    assert_eq!((again.reused, again.calls, stub.seen().len()), (7, 5, 5));
    assert_eq!(encode(&judgments(&plan.input, &plan.settings, &again.verdicts)).unwrap(), whole);

    let before = std::fs::read(&path).unwrap();
    let finished = judge(&plan, &stub.address, &path).await;
    assert_eq!((finished.reused, finished.calls, stub.seen().len()), (12, 0, 5));
    assert_eq!(finished.verdicts, again.verdicts);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_torn_last_line_is_set_aside_and_judged_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.jsonl");
    let stub = Stub::start(|_, seen| verdict(seen, by_text)).await;
    let plan = plan(input(3, &["x", "y"]), &["j"]);
    judge(&plan, &stub.address, &path).await;
    let bytes = std::fs::read(&path).unwrap();
    let last = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    // Even a line that lacks nothing but its newline was never reported as durable.
    for torn in [bytes.len() - 1, last + 40, last + 1] {
        std::fs::write(&path, &bytes[..torn]).unwrap();
        let outcome = judge(&plan, &stub.address, &path).await;
        assert_eq!((outcome.reused, outcome.calls), (2, 1));
        assert_eq!(std::fs::read(&path).unwrap().iter().filter(|byte| **byte == b'\n').count(), 3);
    }
    let aside = std::fs::read_to_string(folder.path().join("v.jsonl.torn")).unwrap();
    assert_eq!(aside.lines().count(), 3);

    // A tail longer than whatever is written next leaves nothing behind.
    let mut long = bytes.clone();
    long.resize(bytes.len() + 100_000, b'x');
    std::fs::write(&path, long).unwrap();
    assert_eq!(judge(&plan, &stub.address, &path).await.reused, 3);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[tokio::test]
async fn failed_calls_are_repeated_and_unusable_replies_only_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.jsonl");
    let mut plan = plan(input(2, &["x"]), &["down", "rude"]);
    let stub = Stub::start(|_, seen| match seen.judge().as_str() {
        "down" => Reply::Status(503, vec![], "later"),
        _ => Reply::Text("No.".into()),
    })
    .await;
    judge(&plan, &stub.address, &path).await;
    let stub = Stub::start(|_, seen| verdict(seen, by_text)).await;
    let second = judge(&plan, &stub.address, &path).await;
    assert_eq!((second.calls, second.reused), (2, 2));
    assert!(stub.seen().iter().all(|seen| seen.judge() == "down"));
    plan.asks_unscored_again = true;
    let third = judge(&plan, &stub.address, &path).await;
    assert_eq!((third.calls, third.reused), (2, 2));
    let fourth = judge(&plan, &stub.address, &path).await;
    assert_eq!((fourth.calls, fourth.reused), (0, 4));
}

#[tokio::test]
async fn a_changed_answer_judge_order_or_setting_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.jsonl");
    let stub = Stub::start(|_, seen| verdict(seen, by_text)).await;
    let mut changed = plan(input(2, &["x", "y"]), &["j"]);
    judge(&changed, &stub.address, &path).await;
    changed.input.questions[1].answers[0].shown = "something else".into();
    assert_eq!(judge(&changed, &stub.address, &path).await.calls, 1);
    changed.settings.temperature = 0.5;
    assert_eq!(judge(&changed, &stub.address, &path).await.calls, 2);
    // Two approaches with the same text trade places: the prompt is the same, the names behind the labels are not.
    changed.input.questions.truncate(1);
    for answer in &mut changed.input.questions[0].answers {
        answer.shown = "same".into();
    }
    assert_eq!(judge(&changed, &stub.address, &path).await.calls, 1);
    changed.input.questions[0].answers[0].approach = "new".into();
    assert_eq!(judge(&changed, &stub.address, &path).await.calls, 1);
    assert_eq!(judge(&changed, &stub.address, &path).await.calls, 0);
}

#[tokio::test]
async fn a_damaged_line_is_named_and_a_second_writer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.jsonl");
    let stub = Stub::start(|_, seen| verdict(seen, by_text)).await;
    let plan = plan(input(2, &["x"]), &["j"]);
    judge(&plan, &stub.address, &path).await;
    let (store, verdicts) = Store::open(&path).unwrap();
    assert_eq!(verdicts.len(), 2);
    let busy = Store::open(&path).err().unwrap().to_string();
    assert!(busy.starts_with("another panel is writing"), "{busy}");
    drop(store);

    let mut lines: Vec<String> = std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    lines[0].truncate(100);
    let mut file = std::fs::File::create(&path).unwrap();
    writeln!(file, "{}", lines.join("\n")).unwrap();
    let damaged = open_error(&path);
    assert!(damaged.contains("line 1 is no verdict"), "{damaged}");
    lines[0] = lines[1].replacen("\"schema_version\":1", "\"schema_version\":9", 1);
    std::fs::write(&path, format!("{}\n", lines.join("\n"))).unwrap();
    assert!(open_error(&path).contains("schema version 9"), "{}", open_error(&path));
}

fn open_error(path: &std::path::Path) -> String {
    Store::open(path).err().unwrap().to_string()
}
