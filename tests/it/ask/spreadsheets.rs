//! Hostile and huge answers in exported files: spreadsheets run no formula, and every other file keeps each character.

use super::support::{parquet, with_rows};
use crate::cli::project::Project;
use crate::warehouse::rows::{lines, row};
use arrow::array::AsArray;
use serde_json::Value;

/// A project with one cell for each answer.
fn answered(answers: &[&str]) -> Project {
    let cell = |(number, answer): (usize, &&str)| {
        let mut cell = row(&format!("q{number:03}"), "heron", (-0.25).into());
        cell["evidence"]["answer"] = (*answer).into();
        cell
    };
    with_rows(&answers.iter().enumerate().map(cell).collect::<Vec<_>>())
}

/// What a reader of CSV finds in the column of answers, and how many records there are.
fn answers_in_csv(project: &Project, more: &[&str]) -> Vec<String> {
    project.ragsql(&[&["export", "cells", "--output", "cells.csv"][..], more].concat()).ends_with(0);
    let text = project.read("cells.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let index = reader.headers().unwrap().iter().position(|name| name == "answer").unwrap();
    reader.records().map(|record| record.unwrap()[index].to_owned()).collect()
}

/// The same for the formats that keep every text as it is.
fn answers_kept(project: &Project) -> [Vec<String>; 3] {
    project.ragsql(&["export", "cells", "--output", "cells.jsonl"]).ends_with(0);
    project.ragsql(&["export", "cells", "--output", "cells.parquet"]).ends_with(0);
    let asked = ["sql", "--format", "jsonl", "select answer from cells order by question_id"];
    let of_lines = |text: &str| -> Vec<String> {
        let value = |line: &str| serde_json::from_str::<Value>(line).unwrap()["answer"].as_str().unwrap().to_owned();
        text.lines().map(value).collect()
    };
    let (cells, _) = parquet(&project.path("cells.parquet"));
    let column = cells.column_by_name("answer").unwrap().as_string::<i32>().clone();
    [
        of_lines(&project.read("cells.jsonl")),
        of_lines(&project.ragsql(&asked).ends_with(0).out),
        column.iter().map(|answer| answer.unwrap().to_owned()).collect(),
    ]
}

#[test]
fn f1_formulas_are_disarmed_for_spreadsheets_and_for_nobody_else() {
    let answers = [
        "=1+1",
        "+49 30 1",
        "-3 degrees outside",
        "@all",
        "\t=2",
        " =3",
        "\u{ff1d}4",
        "\r=5",
        "\n\u{a0}+6",
        "noon = 12",
    ];
    let project = answered(&answers);
    let disarmed = answers_in_csv(&project, &[]);
    for (found, answer) in disarmed.iter().zip(answers) {
        let is_formula = answer != "noon = 12";
        assert_eq!(*found, if is_formula { format!("'{answer}") } else { answer.to_owned() });
    }
    assert_eq!(answers_in_csv(&project, &["--raw"]), answers);
    for kept in answers_kept(&project) {
        assert_eq!(kept, answers);
    }
}

#[test]
fn f2_negative_numbers_stay_numbers_and_texts_that_look_like_them_do_not_run() {
    let project = answered(&["-0.25"]);
    assert_eq!(answers_in_csv(&project, &[]), ["'-0.25"]);
    let statement = "select score - 0.0 as delta, answer from cells inner join scores using (row_id)";
    let told = project.ragsql(&["sql", "--format", "csv", statement]).ends_with(0);
    assert_eq!(told.out, "delta,answer\n-0.25,'-0.25\n");
}

#[test]
fn f7_quotes_commas_and_line_breaks_come_back_and_split_no_record() {
    let answers =
        ["He said \"noon\",\nthen left; it's fine", "\"", ",", "\r\n", "a\r\nb\rc\nd", "", " blanks ", "\u{2028}\u{0}"];
    let project = answered(&answers);
    assert_eq!(answers_in_csv(&project, &["--raw"]), answers);
    // A carriage return at the very beginning is what some spreadsheets skip before a formula.
    let safe = answers_in_csv(&project, &[]);
    assert!(safe.iter().zip(answers).all(|(found, answer)| found.trim_start_matches('\'') == answer), "{safe:?}");
}

#[test]
fn g3_a_text_longer_than_a_cell_is_cut_with_a_mark_in_spreadsheets_alone() {
    let long = "\u{1f33f}x".repeat(20_000);
    let fits = "y".repeat(32_767);
    let answers = [long.as_str(), fits.as_str()];
    let project = answered(&answers);
    let told = project.ragsql(&["export", "cells", "--output", "cells.csv"]).ends_with(0);
    told.complains("1 texts are longer than the 32767 characters of a spreadsheet cell");
    let cut = answers_in_csv(&project, &[]);
    assert!(cut[0].encode_utf16().count() <= 32_767 && cut[0].ends_with("… [cut: 60000 characters in all]"));
    assert!(cut[0].starts_with(&long[..100]) && cut[1] == fits);
    assert!(answers_in_csv(&project, &["--raw"]) == answers);
    assert!(answers_kept(&project).iter().all(|kept| *kept == answers));
}

#[test]
fn g1_many_huge_answers_are_exported_whole_and_shown_in_part() {
    let project = Project::new();
    let answer = |number: usize| format!("{number:03} {}", "word ".repeat(60_000));
    let cell = |number: usize| {
        let mut cell = row(&format!("q{number:03}"), "heron", 0.5.into());
        cell["evidence"]["answer"] = answer(number).into();
        cell
    };
    project.write("compare/results/run.jsonl", &lines(&(0..100).map(cell).collect::<Vec<_>>()));
    for more in [&["--raw"][..], &[]] {
        let found = answers_in_csv(&project, more);
        assert_eq!(found.len(), 100);
        let is_whole = |number: usize| found[number] == answer(number);
        assert!((0..100).all(|number| is_whole(number) != more.is_empty()));
    }
    for kept in answers_kept(&project) {
        assert!(kept.iter().enumerate().all(|(number, kept)| *kept == answer(number)) && kept.len() == 100);
    }
    project.ragsql(&["report", "--html", "report.html"]).ends_with(0);
    project.ragsql(&["report", "question"]).ends_with(0);
    let report = project.read("report.html");
    assert!(report.len() < 1_500_000, "{} bytes", report.len());
    assert!(report.contains("Cut: the whole answer has 300004 characters."));
    for number in [0, 99] {
        let page = project.read(&format!("compare/results/pages/runs/r1/harbour-q{number:03}.md"));
        assert!(page.len() < 60_000 && page.contains("Cut: the whole answer has 300004 characters."), "{}", page.len());
    }
}
