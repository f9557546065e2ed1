//! Bytes and structures that break YAML readers (group H of the public bug reports, with E3, E4 and E6).

use super::{load, messages, project_with};
use ragsql::experiment::problem::Problems;
use ragsql::experiment::{Experiment, Files};
use std::time::{Duration, Instant};

fn flavors(content: impl AsRef<[u8]>) -> Result<Experiment, Problems> {
    let project = project_with("compare/flavors.yaml", content);
    Experiment::load(project.path(), &Files::default())
}

fn first_lines(content: impl AsRef<[u8]>) -> Vec<String> {
    messages(&flavors(content).unwrap_err())
}

#[test]
fn h2_a_duplicate_key_names_both_lines() {
    assert_eq!(
        first_lines("extra:\n  heron: {model: m1}\n  heron: {model: m2}\n"),
        ["compare/flavors.yaml:3:3: the field `heron` appears twice; it is first on line 2"]
    );
}

#[test]
fn h3_an_alias_bomb_is_refused_at_once() {
    let mut bomb = "a: &a [z,z,z,z,z,z,z,z]\n".to_owned();
    for (name, before) in "bcdefghi".chars().zip("abcdefgh".chars()) {
        let references = vec![format!("*{before}"); 8].join(", ");
        bomb.push_str(&format!("{name}: &{name} [{references}]\n"));
    }
    let started = Instant::now();
    let lines = first_lines(&bomb);
    assert!(started.elapsed() < Duration::from_secs(1));
    assert_eq!(lines[0], "compare/flavors.yaml:1:4: anchors (`&name`) are not supported");
    assert!(lines.iter().any(|line| line.contains("aliases (`*name`) are not supported")));
    assert!(lines.len() <= 25, "{}", lines.len());
}

#[test]
fn h4_a_merge_key_never_becomes_a_parameter() {
    let lines = first_lines("flavors:\n  - {alias: heron, base: vanilla-rag, params: {<<: {k: 3}}}\n");
    assert_eq!(lines, ["compare/flavors.yaml:2:48: merge keys (`<<`) are not supported"]);
    let quoted = first_lines("flavors:\n  - {alias: heron, base: vanilla-rag, params: {\"<<\": 3}}\n");
    assert_eq!(quoted, ["compare/flavors.yaml:2:48: `vanilla-rag` does not read the parameter `<<`"]);
}

#[test]
fn h1_words_that_are_booleans_elsewhere_stay_words() {
    let rows = ["no", "on", "yes", "y", "off", "NO", "true", "null", "~", "12", "0x1F", "12:30", "1e3"];
    let content: String = rows.iter().map(|alias| format!("  - {{alias: {alias}, base: vanilla-rag}}\n")).collect();
    let experiment = flavors(format!("flavors:\n{content}")).unwrap();
    let aliases: Vec<&str> = experiment.flavors[7..].iter().map(|profile| profile.alias.as_str()).collect();
    assert_eq!(aliases, rows);
}

#[test]
fn deep_nesting_is_refused_without_a_stack_overflow() {
    for opening in ["[", "{a: ", "\n- - - - - - - - - - - - - - - - - - - - ", "? "] {
        let lines = first_lines(format!("extra: {}", opening.repeat(50_000)));
        println!("{opening:?}: {}", lines[0]);
        assert!(lines[0].starts_with("compare/flavors.yaml:"), "{}", lines[0]);
    }
    assert!(first_lines(format!("extra:\n {}a", "- ".repeat(100)))[0].contains("nested deeper than 64 levels"));
    let block: String = (0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    assert!(first_lines(block)[0].contains("nested deeper than 64 levels"));
}

#[test]
fn keys_must_be_text() {
    assert_eq!(
        first_lines("extra:\n  ? [a, b]\n  : c\n  ? {d: e}\n  : f\n"),
        [
            "compare/flavors.yaml:2:5: a key must be text, not a list",
            "compare/flavors.yaml:4:5: a key must be text, not a mapping"
        ]
    );
}

#[test]
fn bytes_that_are_not_utf8_have_their_place() {
    assert_eq!(
        first_lines(b"flavors:\n  - alias: caf\xe9\n"),
        ["compare/flavors.yaml:2:15: the byte 0xe9 is not UTF-8"]
    );
    assert!(first_lines("flavors:\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()).len() == 1);
}

#[test]
fn e3_a_byte_order_mark_is_not_part_of_the_first_key() {
    let experiment = flavors("\u{feff}flavors:\n  - {alias: heron, base: vanilla-rag}\n").unwrap();
    assert_eq!(experiment.flavors[7].alias, "heron");
}

#[test]
fn e6_carriage_returns_do_not_leak_into_values() {
    let text = std::fs::read_to_string(super::valid_project().join("compare/datasets.yaml")).unwrap();
    let project = project_with("compare/datasets.yaml", text.replace('\n', "\r\n"));
    let (with, without) = (load(project.path()), load(&super::valid_project()));
    for (left, right) in with.datasets.iter().zip(&without.datasets) {
        assert_eq!((&left.id, &left.label, &left.graph_nature), (&right.id, &right.label, &right.graph_nature));
    }
    let lines = first_lines("flavors:\r\n  - alias: a\r\n    base: b\r\n");
    assert_eq!(lines, ["compare/flavors.yaml:3:11: unknown base `b`"]);
}

#[test]
fn a_control_character_reaches_no_terminal() {
    let problems = flavors("flavors:\n  - {alias: a, base: \"\\e[31mred\", \u{202e}x: 1}\n").unwrap_err();
    let text = problems.to_string();
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text:?}");
}

#[test]
fn a_hundred_thousand_keys_are_compared_without_a_square() {
    let rows: String = (0..100_000).map(|number| format!("  k{number}: v\n")).collect();
    assert_eq!(flavors(format!("extra:\n{rows}")).unwrap().flavors.len(), 7);
    assert_eq!(
        first_lines(format!("extra:\n{rows}  k7: again\n")),
        ["compare/flavors.yaml:100002:3: the field `k7` appears twice; it is first on line 9"]
    );
}

#[test]
fn files_with_bytes_changed_at_random_never_panic_and_never_pass_unread() {
    // A small linear congruential generator: the same bytes every time, without a dependency.
    let mut state = 20_240_229_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let odd = b"\0\t\n\r :,-[]{}&*!|>'\"%@`#?~<0\x7f\x85\xc3\xef\xff";
    let project = project_with("unused.txt", "");
    let mut refused = 0;
    for round in 0..400 {
        let name = ["evaluation", "datasets", "flavors", "roles"][round % 4];
        let path = format!("compare/{name}.yaml");
        let original = std::fs::read(super::valid_project().join(&path)).unwrap();
        let mut changed = original.clone();
        for _ in 0..=random(3) {
            let (at, byte) = (random(changed.len()), odd[random(odd.len())]);
            match random(3) {
                0 => changed[at] = byte,
                1 => changed.insert(at, byte),
                _ => drop(changed.remove(at)),
            }
        }
        std::fs::write(project.path().join(&path), &changed).unwrap();
        if let Err(problems) = Experiment::load(project.path(), &Files::default()) {
            assert!(
                !problems.0.is_empty() && !problems.to_string().contains('\0'),
                "{:?}",
                String::from_utf8_lossy(&changed)
            );
            refused += 1;
        }
        std::fs::write(project.path().join(&path), &original).unwrap();
    }
    assert!(refused > 100, "only {refused} of 400 changed files were refused");
}
