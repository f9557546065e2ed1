//! Documents that are generated, and stay as generated.

use crate::golden;
use clap::{Command, CommandFactory as _};
use ragsql::cli::Cli;
use std::fmt::Write as _;

#[test]
fn the_manual_documents_describe_the_command_line_as_it_is() {
    let mut root = Cli::command().term_width(100);
    root.build();
    let mut page = String::from(
        "# Command line\n\nGenerated from `src/cli.rs`; a test keeps it current (`UPDATE_GOLDEN=1 make docs-check` rewrites it).\n\n\
         Exit codes: 0 done; 1 finished, but cells or checks failed; 2 bad input; 3 network, disk or database failed;\n\
         4 a gate that could not decide; 130 interrupted, the same command goes on where it stopped.\n",
    );
    let _ = write!(page, "\n```text\n{}```\n", trimmed(&root.render_long_help().to_string()));
    describe(&mut root, "ragsql", &mut page);
    golden::check("docs/cli.md", &page);
}

/// Adds every verb, and the verbs below it.
fn describe(command: &mut Command, path: &str, page: &mut String) {
    for verb in command.get_subcommands_mut().filter(|verb| verb.get_name() != "help") {
        let name = format!("{path} {}", verb.get_name());
        let _ = write!(page, "\n## `{name}`\n\n```text\n{}```\n", trimmed(&verb.render_long_help().to_string()));
        describe(verb, &name, page);
    }
}

fn trimmed(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn the_page_on_peers_names_every_pin_and_every_script_of_an_environment() {
    let page = std::fs::read_to_string(golden::root().join("docs/peers.md")).unwrap();
    let installs = std::fs::read_to_string(golden::root().join("tests/peers/installs.py")).unwrap();
    let quoted = installs.split('"').filter(|text| text.starts_with(char::is_alphabetic));
    let pins: Vec<(&str, &str)> = quoted.filter_map(|text| text.split_once("==")).collect();
    assert!(pins.len() > 20, "{pins:?}");
    for (package, version) in pins {
        assert!(page.contains(&format!("`{package}` {version}")), "`{package}` {version} is not in docs/peers.md");
    }
    for entry in std::fs::read_dir(golden::root().join("tests/peers")).unwrap() {
        let path = entry.unwrap().path();
        let text = if path.is_file() { std::fs::read_to_string(&path).unwrap() } else { String::new() };
        // What reads arguments is started by another script, with the Python of its part.
        if text.contains("sys.argv") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            assert!(page.contains(&format!("`{name}`")), "`{name}` is not in docs/peers.md");
        }
    }
}
