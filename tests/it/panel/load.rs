//! A large panel against an instant stub. Prints what it took; asserts only what must hold on any machine.

use super::stub::{Reply, Seen, Stub, completion, judge, plan};
use ragsql::panel::artifact::{encode, judgments};
use ragsql::panel::input::{Answer, Input, Question};
use ragsql::panel::verdict::State;
use serde_json::Value;
use std::time::Instant;

const JUDGES: [&str; 5] = ["j1", "j2", "j3", "j4", "j5"];

fn input() -> Input {
    let sentence = "The report of the ninth working day lists three open questions and two answers. ";
    let question = |number: usize| Question {
        id: format!("q{number}"),
        query: format!("What does report {number} say?"),
        need: Some("Names what is open.".into()),
        expect_winner: Value::Null,
        answers: (0..19)
            .map(|approach| {
                Answer::new(
                    &format!("approach-{approach}"),
                    Some(&format!("{number} {approach} {}", sentence.repeat(20))),
                )
            })
            .collect(),
    };
    Input { questions: (0..200).map(question).collect(), ..Input::default() }
}

/// The largest resident size of this process so far, in bytes; null where the system does not tell.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_judges_200_questions_and_19_answers_are_judged_completely() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.jsonl");
    let scores: Vec<String> =
        (0..19).map(|place| format!("\"{}\":{}", ragsql::panel::order::label(place), 1 + place % 5)).collect();
    let reply = completion(&format!("{{\"scores\":{{{}}},\"best\":\"E\",\"reason\":\"ok\"}}", scores.join(",")));
    let stub = Stub::forgetful(move |_, _: &Seen| Reply::Body(reply.clone())).await;
    let plan = plan(input(), &JUDGES);
    let start = Instant::now();
    let outcome = judge(&plan, &stub.address, &path).await;
    let first = start.elapsed();
    assert_eq!((outcome.calls, outcome.verdicts.len()), (1000, 1000));
    assert!(outcome.verdicts.iter().all(|verdict| verdict.state == State::Scored && verdict.scores.len() == 19));
    let start = Instant::now();
    let again = judge(&plan, &stub.address, &path).await;
    let resumed = start.elapsed();
    assert_eq!((again.calls, again.reused), (0, 1000));
    let text = encode(&judgments(&plan.input, &plan.settings, &again.verdicts)).unwrap();
    println!(
        "5 x 200 x 19: {first:?} for 1000 calls and fsyncs, {resumed:?} to find them again, peak {:?} bytes, artifact {} bytes",
        peak_bytes(),
        text.len()
    );
}
