//! The other verbs, and how bad input is told.

use super::project::{Project, Told};
use crate::stub::{Reply, Stub};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn an_empty_folder_is_told_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    for verb in ["run", "check", "gateway"] {
        let output = Command::new(env!("CARGO_BIN_EXE_ragsql")).current_dir(folder.path()).arg(verb).output().unwrap();
        Told::from(output).ends_with(2).complains("compare/evaluation.yaml").complains("hint:");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn check_prints_the_plan_and_calls_nothing() {
    let project = Project::new();
    let told = project.ragsql(&["check", "--limit", "2"]).ends_with(0).complains("nothing was called");
    assert!(told.out.contains("cells       6") && told.out.contains("6 to 12"), "{}", told.out);
    assert!(!project.path("compare/results").exists());
}

#[test]
fn several_mistakes_are_told_at_once_with_file_and_line() {
    let project = Project::new();
    let manifest = project.read("compare/evaluation.yaml");
    project.write("compare/evaluation.yaml", &manifest.replace("retries: 1", "retrys: 1").replace("30,", "no,"));
    let datasets = project.read("compare/datasets.yaml");
    project.write("compare/datasets.yaml", &datasets.replace("complexity_level: 1", "complexity_level: 0"));
    for verb in ["check", "run"] {
        let told = project.ragsql(&[verb]).ends_with(2);
        for text in
            ["evaluation.yaml:", "retrys", "retries", "datasets.yaml:5", "complexity_level", "nothing was called"]
        {
            assert!(told.err.contains(text), "`{text}` is not in:\n{}", told.err);
        }
    }
    assert!(!project.path("compare/results").exists());
}

#[test]
fn wrong_names_come_with_the_valid_ones() {
    let project = Project::new();
    project.ragsql(&["run", "--models", "hybird-rag"]).ends_with(2).complains("hybrid-rag");
    project.ragsql(&["run", "--dataset", "harbor"]).ends_with(2).complains("harbour");
    project.ragsql(&["run", "--questions", "fery"]).ends_with(2).complains("ferry");
    project.ragsql(&["run", "--run-id", "../x"]).ends_with(2).complains("run id");
    project.ragsql(&["run", "--gateway", "ftp://x"]).ends_with(2).complains("ftp://x");
    project.ragsql(&["run", "--concurrency", "0"]).ends_with(2).complains("1..=32");
    project.ragsql(&["sql", "select approch from cells"]).ends_with(2).complains("approach");
}

#[test]
fn statements_that_write_or_reach_out_are_refused() {
    let project = Project::new();
    project.ragsql(&["run", "--limit", "1"]).ends_with(0);
    let target = project.path("stolen.csv");
    for statement in [
        format!("copy (select 1) to '{}'", target.display()),
        "delete from cells".to_owned(),
        "delete from store.cell".to_owned(),
        "attach '/tmp/o.db'".to_owned(),
        "select * from read_text('/etc/hostname')".to_owned(),
        "set enable_external_access = true".to_owned(),
        "install httpfs".to_owned(),
    ] {
        let told = project.ragsql(&["sql", &statement]);
        assert!(told.code != 0 && told.err.starts_with("error: "), "{statement}: {} {}", told.out, told.err);
    }
    assert!(!target.exists());
}

#[test]
fn a_summary_of_unreadable_rows_writes_nothing() {
    let project = Project::new();
    project.write("bad.jsonl", "{\"row_id\":\"x\"\n");
    let told =
        project.ragsql(&["summarize", "--rows", "bad.jsonl", "--output", "out/e.json", "--csv-output", "out/e.csv"]);
    assert_ne!(told.code, 0);
    assert!(!project.path("out").exists(), "{}", told.err);
    let told = project.ragsql(&["summarize", "--rows", "none.jsonl", "--output", "out/e.json"]);
    assert_ne!(told.code, 0);
}

#[test]
fn imported_evidence_can_be_asked() {
    let project = Project::new();
    project.ragsql(&["run", "--limit", "1"]).ends_with(0);
    std::fs::rename(project.path("compare/results/harbour.jsonl"), project.path("old.jsonl")).unwrap();
    project.ragsql(&["import", "old.jsonl"]).ends_with(0).complains("3 rows");
    let told = project.ragsql(&["sql", "select count(*) as n from cells"]).ends_with(0);
    assert!(told.out.contains('3'), "{}", told.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_and_user_info_stay_out_of_rows_logs_and_messages() {
    let project = Project::new();
    let stub = Stub::start(|seen| Reply::text(401, &format!("bad key {}", seen.header("authorization")))).await;
    let url = stub.url.replace("http://", "http://user:pa55word@");
    let output = project
        .command(&["run", "--limit", "1", "--gateway", &url, "--api-key-env", "SECRET_KEY", "-v"])
        .env("SECRET_KEY", "sk-very-secret-1")
        .output()
        .unwrap();
    let told = Told::from(output).ends_with(1);
    assert_eq!(stub.seen().last().unwrap().header("authorization"), "Bearer sk-very-secret-1");
    let mut places = vec![told.out, told.err];
    for file in std::fs::read_dir(project.path("compare/results")).unwrap() {
        places.push(String::from_utf8_lossy(&std::fs::read(file.unwrap().path()).unwrap_or_default()).into_owned());
    }
    for text in places {
        assert!(!text.contains("very-secret") && !text.contains("pa55word"), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_gateway_needs_named_judges_before_the_first_call() {
    let project = Project::new();
    let manifest = project.read("compare/evaluation.yaml");
    project.write(
        "compare/evaluation.yaml",
        &manifest.replace("judge_panel: {enabled: false}", "judge_panel: {enabled: true, endpoint: embedded}"),
    );
    let stub = Stub::start(|_| Reply::answer("x")).await;
    project.ragsql(&["run", "--gateway", &stub.url]).ends_with(2).complains("JUDGE_MODELS is not set");
    assert_eq!(stub.count(), 0);
    project.ragsql(&["run"]).ends_with(0);
}

#[test]
fn the_gateway_serves_until_it_is_interrupted() {
    let project = Project::new();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    let mut child = project
        .command(&["gateway", "--listen", &address])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut seen = String::new();
    let mut errors = child.stderr.take().unwrap();
    let mut byte = [0];
    while !seen.contains("models") && errors.read(&mut byte).unwrap() > 0 {
        seen.push(char::from(byte[0]));
    }
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.write_all(b"GET /v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("hybrid-rag"), "{reply}");
    // SAFETY: the process is our own child and has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    assert!(child.wait().unwrap().success());
    let open = project.ragsql(&["gateway", "--listen", "0.0.0.0:0"]);
    open.ends_with(2).complains("--token-env");
}

#[test]
fn a_broken_pipe_is_a_normal_end() {
    let project = Project::new();
    let mut child = project.command(&["schema"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let told = Told::from(child.wait_with_output().unwrap());
    assert!(told.code == 0 && told.err.is_empty(), "{} {}", told.code, told.err);
}

#[test]
fn a_run_has_pages_that_show_answers_and_judges_side_by_side() {
    let project = Project::new();
    let manifest = project.read("compare/evaluation.yaml");
    project.write(
        "compare/evaluation.yaml",
        &manifest.replace("judge_panel: {enabled: false}", "judge_panel: {enabled: true, endpoint: embedded}"),
    );
    project.ragsql(&["report"]).ends_with(2).complains("there is no run yet");
    project.ragsql(&["run"]).ends_with(0);
    project.ragsql(&["judge"]).ends_with(0).complains("3/3 verdicts whole").complains("6 made");
    project.ragsql(&["judge"]).ends_with(0).complains("0 made, 6 verdicts reused");
    project.ragsql(&["report"]).ends_with(0).complains("wrote 4 files below compare/results/pages");
    let page = project.read("compare/results/pages/runs/harbour/harbour-ferry.md");
    for text in ["When does the noon ferry leave?", "hybrid-rag", "builtin/judge-grounding", "faithfulness"] {
        assert!(page.contains(text), "`{text}` is not in:\n{page}");
    }
}

#[test]
fn a_corpus_is_built_from_a_bundle_and_a_foreign_file_is_refused_by_name() {
    let project = Project::new();
    project.write("foreign.json", "{\"type\": \"letter\"}");
    let build = ["corpus", "build", "attack", "--output", "corpus/new", "--from"];
    let from =
        |file: &str| -> Vec<String> { build.iter().map(|part| (*part).to_owned()).chain([file.to_owned()]).collect() };
    let ask = |arguments: Vec<String>| project.ragsql(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    ask(from("foreign.json")).ends_with(2).complains("foreign.json");
    let bundle = crate::golden::root().join("tests/fixtures/adapters/attack/bundle.json");
    let told = ask(from(&bundle.to_string_lossy())).ends_with(0).complains("dossiers");
    assert!(!told.out.is_empty());
    assert!(std::fs::read_dir(project.path("corpus/new")).unwrap().count() > 0);
}
