//! Rules of `docs/architecture.md` that a machine can check.

use crate::golden::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Rooms, and the rooms each may use. `json` is open to all. The same table stands in docs/architecture.md.
const ROOMS: &[(&str, &[&str])] = &[
    ("json", &[]),
    ("wire", &[]),
    ("experiment", &[]),
    ("adapters", &[]),
    ("evidence", &["experiment"]),
    ("imports", &["evidence"]),
    ("scoring", &["wire"]),
    ("runner", &["experiment", "evidence", "wire", "scoring"]),
    ("panel", &["wire"]),
    ("warehouse", &["evidence"]),
    ("report", &["warehouse"]),
    ("ladder", &["experiment", "warehouse"]),
    ("export", &["report", "warehouse"]),
    ("gateway", &["wire", "warehouse"]),
    ("view", &["report", "warehouse"]),
    ("cli", &[]),
    ("ui", &["error"]),
];

fn files(folder: &str, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("folder can be listed") {
            let path = entry.expect("entry can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(suffix) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).expect("inside the checkout").to_string_lossy().replace('\\', "/")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("source is UTF-8")
}

fn room_of(path: &Path) -> String {
    let name = relative(path);
    let name = name.trim_start_matches("src/");
    name.split(['/', '.']).next().unwrap_or_default().to_owned()
}

#[test]
fn rooms_use_only_what_lies_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    let mut wrong = Vec::new();
    for path in files("src", ".rs") {
        let room = room_of(&path);
        let Some(below) = allowed.get(room.as_str()) else { continue };
        let text = read(&path);
        for (index, _) in text.match_indices("crate::") {
            let used: String = text[index + 7..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let known = allowed.contains_key(used.as_str()) || ["error", "commands"].contains(&used.as_str());
            if known && used != room && used != "json" && !below.contains(&used.as_str()) {
                wrong.push(format!("{} uses {used}", relative(&path)));
            }
            if room == "gateway" && used == "warehouse" && !text[index..].starts_with("crate::warehouse::catalogue") {
                wrong.push(format!("{} uses more of the warehouse than its catalogue", relative(&path)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_map_in_the_architecture_page_names_every_room() {
    let page = read(&root().join("docs/architecture.md"));
    let mut rooms: Vec<String> = files("src", ".rs").iter().map(|path| room_of(path)).collect();
    rooms.sort();
    rooms.dedup();
    for room in rooms.iter().filter(|room| !["lib", "main"].contains(&room.as_str())) {
        assert!(page.contains(&format!("| `{room}` |")), "docs/architecture.md has no row for `{room}`");
    }
}

#[test]
fn no_source_file_is_longer_than_400_lines() {
    let long: Vec<String> = files("src", ".rs")
        .iter()
        .map(|path| (relative(path), read(path).lines().count()))
        .filter(|(_, lines)| *lines > 400)
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_module_says_what_it_is_for() {
    for path in files("src", ".rs") {
        assert!(read(&path).starts_with("//! "), "{} has no module comment", relative(&path));
    }
}

#[test]
fn statements_live_in_sql_files() {
    let statement = regex::Regex::new(
        r#"(?i)"\s*(select\s|insert\s+into|create\s+(or\s+replace\s+)?(table|view|macro)|delete\s+from|update\s+\w+\s+set|with\s+\w+\s+as\s*\(|attach\s|copy\s)"#,
    )
    .expect("pattern is valid");
    let mut wrong = Vec::new();
    for path in files("src", ".rs") {
        let text = read(&path);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            if statement.is_match(line) && !line.trim_start().starts_with("//") {
                wrong.push(format!("{}:{}: {}", relative(&path), number + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_ui_writes_to_the_terminal() {
    let mut wrong = Vec::new();
    for path in files("src", ".rs") {
        if room_of(&path) == "ui" {
            continue;
        }
        for (number, line) in read(&path).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if ["println!(", "print!(", "eprintln!(", "eprint!(", "dbg!("].iter().any(|name| code.contains(name)) {
                wrong.push(format!("{}:{}", relative(&path), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_left_unfinished() {
    let marks = ["todo!(", "unimplemented!(", "#[ignore", concat!("FIX", "ME"), concat!("TO", "DO")];
    for folder in ["src", "sql", "templates", "tests", "docs"] {
        for path in files(folder, "") {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            if relative(&path) == "tests/it/tidy.rs" {
                continue;
            }
            for mark in marks {
                assert!(!text.contains(mark), "{} holds `{mark}`", relative(&path));
            }
        }
    }
}

#[test]
fn the_top_level_holds_only_what_the_design_names() {
    let allowed = [
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "src",
        "sql",
        "templates",
        "compare",
        "demo",
        "corpus",
        "docs",
        "tests",
        "README.md",
        "Makefile",
        "benches",
        "rustfmt.toml",
        "target",
    ];
    for entry in fs::read_dir(root()).expect("checkout can be listed") {
        let name = entry.expect("entry can be read").file_name().to_string_lossy().into_owned();
        assert!(name.starts_with('.') || allowed.contains(&name.as_str()), "`{name}` has no place at the top level");
    }
}

#[test]
fn templates_do_not_compute() {
    let arithmetic = regex::Regex::new(r"\{[{%][^}]*(\|\s*(sort|sum|groupby|round)\b|\s[-+*/]\s)[^}]*[}%]\}")
        .expect("pattern is valid");
    for path in files("templates", "") {
        let text = read(&path);
        let found = arithmetic.find(&text).map(|hit| hit.as_str().to_owned());
        assert!(found.is_none(), "{}: {}", relative(&path), found.unwrap_or_default());
    }
}
