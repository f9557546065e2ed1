//! One answer in every format, from every place a statement can come from.

use super::support::{parquet, project, with_rows};
use crate::cli::project::Told;
use crate::warehouse::rows::row;
use std::io::Write as _;
use std::process::Stdio;

const STATEMENT: &str = "select 'a|b' as text, 9007199254740993 as big, null as none, [1, 2] as list order by all";

#[test]
fn every_text_format_holds_the_same_row() {
    let project = project();
    let ask = |format: &str| project.ragsql(&["sql", "--format", format, STATEMENT]).ends_with(0).out;
    assert_eq!(ask("csv"), "text,big,none,list\na|b,9007199254740993,,\"[1,2]\"\n");
    assert_eq!(ask("jsonl"), "{\"text\":\"a|b\",\"big\":9007199254740993,\"none\":null,\"list\":[1,2]}\n");
    assert_eq!(ask("json"), "[\n{\"text\":\"a|b\",\"big\":9007199254740993,\"none\":null,\"list\":[1,2]}\n]\n");
    let markdown = ask("markdown");
    assert!(markdown.starts_with("| text | big | none | list |\n|---|--:|"), "{markdown}");
    assert!(markdown.contains("| a\\|b | 9007199254740993 | - |"), "{markdown}");
    let table = ask("table");
    assert!(table.contains("9007199254740993  null  [1,2]") && table.ends_with("(1 row)\n"), "{table}");
    let page = ask("html");
    assert!(page.contains("<td>a|b</td>") && page.contains("default-src 'none'"), "{page}");
    project.ragsql(&["sql", "--format", "xlsx", "select 1"]).ends_with(2).complains("parquet");
}

#[test]
fn values_of_every_type_are_written_and_what_has_no_text_is_refused() {
    let project = project();
    let ask = |format: &str, statement: &str| project.ragsql(&["sql", "--format", format, statement]);
    let csv = |statement: &str| ask("csv", statement).ends_with(0).out;
    let jsonl = |statement: &str| ask("jsonl", statement).ends_with(0).out;
    let unions = "select u from (values (union_value(k := 1)), (union_value(k := null))) as t(u)";
    assert_eq!((csv(unions).as_str(), jsonl(unions).as_str()), ("u\n1\n\n", "{\"u\":1}\n{\"u\":null}\n"));
    let nested = "select [union_value(k := 'a')] as u, map {date '-infinity': 1} as m";
    assert_eq!(csv(nested), "u,m\n\"[\"\"a\"\"]\",\"{\"\"-infinity\"\":1}\"\n");
    let endless = "select 'infinity'::timestamp as a, '-infinity'::date as b, 'infinity'::timestamptz as c";
    // A spreadsheet would take a minus for the beginning of a formula.
    assert_eq!(csv(endless), "a,b,c\ninfinity,'-infinity,infinity\n");
    assert_eq!(jsonl(endless), "{\"a\":\"infinity\",\"b\":\"-infinity\",\"c\":\"infinity\"}\n");
    let shades = "select s from (values ('red'::enum('red', 'blue')), (null), ('blue')) as t(s)";
    assert_eq!(csv(shades), "s\nred\n\nblue\n");
    // The engine knows years that no calendar here does.
    for format in ["csv", "jsonl", "table", "markdown", "html"] {
        let told = ask(format, "select date '5000000-01-01' as d").ends_with(2).complains("a value cannot be written");
        assert!(told.err.contains("hint: ask for it as text"), "{}", told.err);
    }
    // A number in a list has to be JSON, and what is none there is told.
    let told = ask("csv", "select ['nan'::double, 1] as l").ends_with(0).complains("1 values are not finite");
    assert_eq!(told.out, "l\n\"[null,1.0]\"\n");
    for (column, kind) in [("union_value(k := 1)", "Union"), ("[interval 1 day]", "Interval")] {
        let statement = format!("select 1 as a, {column} as odd");
        project.ragsql(&["sql", "--output", "odd.arrow", &statement]).ends_with(0);
        ask("parquet", &statement).ends_with(2).complains("Parquet has no type for column `odd`").complains(kind);
    }
}

#[test]
fn hostile_text_is_text_in_a_page_and_in_a_table() {
    let project = project();
    let statement = "select '<img src=x onerror=\"1\">' as \"a<b\", chr(27) || '[31mred' as red";
    let page = project.ragsql(&["sql", "--format", "html", statement]).ends_with(0).out;
    assert!(!page.contains("<img") && page.contains("&lt;img src=x onerror=&quot;1&quot;&gt;"), "{page}");
    assert!(page.contains("a&lt;b"), "{page}");
    let table = project.ragsql(&["sql", statement]).ends_with(0).out;
    assert!(!table.contains('\u{1b}') && table.contains("\u{241b}[31mred"), "{table}");
}

#[test]
fn binary_formats_go_to_files_under_a_temporary_name_first() {
    let project = project();
    project.ragsql(&["sql", "--output", "rows.parquet", STATEMENT]).ends_with(0).complains("1 rows in rows.parquet");
    let (batch, metadata) = parquet(&project.path("rows.parquet"));
    assert_eq!((batch.num_rows(), batch.num_columns()), (1, 4));
    assert!(metadata.iter().any(|(key, _)| key == "ragsql.version"));
    project.ragsql(&["sql", "--output", "rows.arrow", STATEMENT]).ends_with(0);
    let file = std::fs::File::open(project.path("rows.arrow")).unwrap();
    let read: Vec<_> = arrow::ipc::reader::FileReader::try_new(file, None).unwrap().map(Result::unwrap).collect();
    assert_eq!(read[0].columns(), batch.columns());
    // A statement that fails leaves the old file, and nothing beside it.
    project.ragsql(&["sql", "--output", "rows.parquet", "select error('no')"]).ends_with(2);
    assert_eq!(parquet(&project.path("rows.parquet")).0, batch);
    let left = std::fs::read_dir(project.root()).unwrap();
    assert!(left.flatten().all(|entry| !entry.file_name().to_string_lossy().starts_with(".tmp")));
}

#[test]
fn statements_come_from_a_file_or_from_stdin_and_several_are_answered_in_turn() {
    let project = project();
    project.write("two.sql", "\u{feff}-- a comment; with a semicolon\nselect 1 as one;\nselect ';' as two;\n");
    let told = project.ragsql(&["sql", "--file", "two.sql"]).ends_with(0);
    assert_eq!(told.out.matches("(1 row)").count(), 2, "{}", told.out);
    project.ragsql(&["sql", "--file", "two.sql", "--format", "csv"]).ends_with(2).complains("2 statements");
    project.ragsql(&["sql", "--file", "none.sql"]).ends_with(2).complains("none.sql");
    for arguments in [&["sql"][..], &["sql", "-"]] {
        let mut command = project.command(arguments);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all("select 'é日' as word".as_bytes()).unwrap();
        let told = Told::from(child.wait_with_output().unwrap()).ends_with(0);
        assert!(told.out.contains("é日"), "{}", told.out);
    }
    project.ragsql(&["sql", " -- nothing"]).ends_with(2).complains("empty");
}

#[test]
fn a_query_of_the_catalogue_is_asked_by_name_with_typed_parameters() {
    let project = project();
    let told = project.ragsql(&["sql", "@leaderboard", "--param", "dataset=harbour", "--format", "csv"]).ends_with(0);
    assert!(told.out.contains("r1,harbour,faithfulness,ranked,1,heron,0.375,2,2,0,0,0"), "{}", told.out);
    let none = project.ragsql(&["sql", "@leaderboard@1", "--param", "dataset=other", "--format", "csv"]).ends_with(0);
    assert_eq!(none.out.lines().count(), 1, "{}", none.out);
    for (arguments, expected) in [
        (&["sql", "@leaderbord"][..], "did you mean `leaderboard`?"),
        (&["sql", "@leaderboard@9"], "leaderboard@9"),
        (&["sql", "@leaderboard", "--param", "datset=x"], "it takes dataset, run, metric, coverage_floor"),
        (&["sql", "@leaderboard", "--param", "coverage_floor=high"], "a number"),
        (&["sql", "@leaderboard", "--param", "dataset"], "name=value"),
        (&["sql", "@reports/cell"], "needs a value for `$row_id`"),
        (&["sql", "@standings_of_none"], "no query is called"),
    ] {
        project.ragsql(arguments).ends_with(2).complains(expected);
    }
    let told = project.ragsql(&["sql", "--explain-query", "leaderboard"]).ends_with(0);
    for text in ["reports/leaderboard@1", "coverage_floor", "default 0.8", "scored_n", "sha256"] {
        assert!(told.out.contains(text), "`{text}` is not in:\n{}", told.out);
    }
    let told = project.ragsql(&["sql", "select $x as x", "--param", "x=007", "--format", "csv"]).ends_with(0);
    assert_eq!(told.out, "x\n007\n");
}

#[test]
fn a_long_answer_streams_and_a_table_says_what_it_left_out() {
    let project = project();
    let told = project.ragsql(&["sql", "select range as n from range(5000)"]).ends_with(0);
    assert!(told.out.contains("(1000 rows; more were left out"), "{}", told.out);
    let told = project.ragsql(&["sql", "select range as n from range(5000)", "--format", "csv"]).ends_with(0);
    assert_eq!(told.out.lines().count(), 5001);
    let told = project.ragsql(&["sql", "select range as n from range(5000)", "--format", "csv", "--rows", "7"]);
    assert_eq!(told.ends_with(0).complains("only the first 7 rows").out.lines().count(), 8);
}

#[test]
fn nobody_reads_any_more_and_the_statement_ends_quietly() {
    let project = project();
    let mut child = project
        .command(&["sql", "select range as n from range(100000000)", "--format", "jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let told = Told::from(child.wait_with_output().unwrap()).ends_with(0);
    assert!(told.err.is_empty(), "{}", told.err);
}

#[test]
fn ids_and_wide_integers_keep_their_digits_and_joins_work() {
    let mut number = row("007", "heron", 0.5.into());
    number["reproducibility"]["seed"] = 18446744073709551615_u64.into();
    number["evidence"]["token_usage"] = serde_json::json!({"total_tokens": 9007199254740993_u64});
    let project = with_rows(&[number, row("12345678901234567890", "heron", 1.into()), row("30", "heron", 1.into())]);
    let statement = "select question_id, seed, total_tokens from cells join questions using (dataset_id, question_id) \
                     order by question_id";
    let told = project.ragsql(&["sql", statement, "--format", "csv"]).ends_with(0);
    let expected = "question_id,seed,total_tokens\n007,18446744073709551615,9007199254740993\n\
                    12345678901234567890,s,12\n30,s,12\n";
    assert_eq!(told.out, expected);
}

#[test]
fn the_locale_decides_nothing() {
    let project = project();
    let output = project.command(&["sql", "select '日本語 🔎' as word"]).env("LC_ALL", "C").output().unwrap();
    let told = Told::from(output).ends_with(0);
    assert!(told.out.contains("日本語 🔎"), "{}", told.out);
}

#[test]
fn views_are_described_for_tools() {
    let project = project();
    let told = project.ragsql(&["schema", "cells", "--json"]).ends_with(0);
    let value: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    let columns = value["views"][0]["columns"].as_array().unwrap();
    let latency = columns.iter().find(|column| column["name"] == "latency_ms").unwrap();
    assert_eq!((latency["type"].as_str(), latency["unit"].as_str()), (Some("BIGINT"), Some("ms")));
    project.ragsql(&["schema", "cels", "--json"]).ends_with(2).complains("cells");
}

#[test]
fn the_index_of_the_gateway_is_asked_under_the_same_rules() {
    let project = project();
    project.ragsql(&["sql", "--corpus", "select 1"]).ends_with(2).complains("no index of a corpus yet");
    std::fs::remove_file(project.path("compare/results/run.jsonl")).unwrap();
    project.ragsql(&["run", "--limit", "1"]).ends_with(0);
    let count = "select count(*) as n from documents";
    for choice in ["--corpus", "--corpus=harbour"] {
        let told = project.ragsql(&["sql", choice, count, "--format", "csv"]).ends_with(0);
        assert_eq!(told.out, "n\n3\n");
    }
    let refused =
        project.ragsql(&["sql", "--corpus", "delete from documents"]).ends_with(2).complains("can read the index");
    assert!(refused.err.contains("made from the documents") && !refused.err.contains("evidence"), "{}", refused.err);
    project.ragsql(&["sql", "--corpus", "pragma threads = 8"]).ends_with(2).complains("can read the index only");
    project.ragsql(&["sql", "--corpus=elsewhere", count]).ends_with(2).complains("no index holds");
}
