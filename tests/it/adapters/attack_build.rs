//! Building from hand-made sources.

use super::{project, texts};
use ragsql::adapters::attack::{BuildOptions, BuildReport, Shape, build};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const BUNDLE: &str = "tests/fixtures/adapters/attack/bundle.json";
const PACKAGE: &str = "tests/fixtures/adapters/attack/package";
const GOLDEN: &str = "tests/fixtures/adapters/attack/golden";

fn build_into(folder: &Path, source: &str, limit: usize) -> BuildReport {
    build(&project(source), folder, &BuildOptions { limit, templates: None }).unwrap()
}

#[test]
fn a_bundle_and_the_package_with_the_same_facts_give_the_golden_bytes() {
    let golden = project(GOLDEN);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        build_into(&golden, BUNDLE, 66);
    }
    let expected = texts(&golden);
    for (source, shape) in [(BUNDLE, Shape::StixBundle), (PACKAGE, Shape::LookupPackage)] {
        let folder = tempfile::tempdir().unwrap();
        let report = build_into(folder.path(), source, 66);
        assert_eq!(texts(folder.path()), expected, "{source}");
        assert_eq!(report.shape, shape);
        assert_eq!(report.version.as_deref(), Some("99.1"));
        assert!(report.dossiers.iter().eq(expected.keys()));
        assert_eq!((report.dropped_objects_n, report.ignored_relations_n), (4, 6));
    }
}

#[test]
fn the_order_of_objects_changes_no_byte() {
    let mut bundle: Value = serde_json::from_str(&fs::read_to_string(project(BUNDLE)).unwrap()).unwrap();
    bundle["objects"].as_array_mut().unwrap().reverse();
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("reversed.json");
    fs::write(&source, bundle.to_string()).unwrap();
    build(&source, &folder.path().join("out"), &BuildOptions::default()).unwrap();
    assert_eq!(texts(&folder.path().join("out")), texts(&project(GOLDEN)));
}

#[test]
fn descriptions_and_withdrawn_objects_never_reach_a_dossier() {
    for (name, text) in texts(&project(GOLDEN)) {
        for unwanted in ["description", "G9003", "S9003", "T9003", "Ferrying (T9002) is mitigated", "attack.example"] {
            assert!(!text.contains(unwanted), "{name} holds {unwanted}");
        }
    }
    assert!(fs::read_to_string(project(BUNDLE)).unwrap().contains("G9003"));
}

#[test]
fn a_limit_takes_the_most_connected_of_each_kind_and_the_first_identifier_on_a_tie() {
    let folder = tempfile::tempdir().unwrap();
    // The campaigns have 1 and 2 relations, the groups 4 and 2, the software 3 and 3, the techniques 4, 4 and 1.
    let report = build_into(folder.path(), BUNDLE, 5);
    let expected = [
        "c9002-reed-cutter.md",
        "g9001-example-heron.md",
        "m9001-lock-keeper.md",
        "s9001-sluice-gate.md",
        "t9001-dredging.md",
    ];
    assert_eq!(report.dossiers, expected);
    let group = fs::read_to_string(folder.path().join("g9001-example-heron.md")).unwrap();
    assert!(group.contains("uses the software Barge (S9002)."), "relations to objects without a dossier stay");
    assert!(!group.contains("s9002"), "links go to existing dossiers only");
}

#[test]
fn a_smaller_build_removes_the_dossiers_it_does_not_make() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(build_into(folder.path(), BUNDLE, 66).removed_files_n, 0);
    let report = build_into(folder.path(), PACKAGE, 5);
    assert_eq!(report.removed_files_n, 5);
    assert!(texts(folder.path()).keys().eq(report.dossiers.iter()));
}

/// An object of a bundle, named after its STIX id.
fn object(kind: &str, id: &str, attack_id: &str) -> Value {
    let reference = json!([{"source_name": "mitre-attack", "external_id": attack_id}]);
    json!({"type": kind, "id": id, "name": id, "external_references": reference})
}

/// A relation of a bundle.
fn relation(from: &str, verb: &str, to: &str) -> Value {
    json!({"type": "relationship", "id": "r", "relationship_type": verb, "source_ref": from, "target_ref": to})
}

/// Builds a bundle of `objects` and gives the dossiers.
fn dossiers(objects: Vec<Value>, limit: usize) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let (source, output) = (folder.path().join("bundle.json"), folder.path().join("out"));
    fs::write(&source, json!({"type": "bundle", "objects": objects}).to_string()).unwrap();
    build(&source, &output, &BuildOptions { limit, templates: None }).unwrap();
    texts(&output)
}

#[test]
fn a_long_list_is_cut_with_its_length_stated_and_objects_with_a_dossier_first() {
    let mut objects = vec![
        object("intrusion-set", "Busy Gull", "G9100"),
        object("intrusion-set", "Calm Gull", "G9101"),
        relation("Calm Gull", "uses", "Oar 29"),
    ];
    for number in 0..30 {
        let id = format!("Oar {number}");
        objects.push(object("tool", &id, &format!("S91{number:02}")));
        objects.push(relation("Busy Gull", "uses", &id));
    }
    // Five dossiers leave room for one software entry: `Oar 29`, which has two users.
    let files = dossiers(objects, 5);
    assert!(files.keys().eq(["g9100-busy-gull.md", "s9129-oar-29.md"]));
    let group = &files["g9100-busy-gull.md"];
    assert!(group.contains("ATT&CK records 30 software entries used by Busy Gull (G9100); 16 of them follow."));
    let named: Vec<&str> = group.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(named.len(), 16);
    assert_eq!(named[0], "- Busy Gull (G9100) uses the software Oar 29 (S9129).");
    assert_eq!(named[1], "- Busy Gull (G9100) uses the software Oar 0 (S9100).");
    assert_eq!(named[15], "- Busy Gull (G9100) uses the software Oar 14 (S9114).");
}

#[test]
fn a_technique_is_never_its_own_parent() {
    let objects =
        vec![object("attack-pattern", "Dredging", "T9001"), relation("Dredging", "subtechnique-of", "Dredging")];
    let text = &dossiers(objects, 66)["t9001-dredging.md"];
    assert!(
        text.contains("Dredging (T9001) is a technique in MITRE ATT&CK.") && !text.contains("ub-technique"),
        "{text}"
    );
}

#[test]
fn hostile_names_stay_text_and_stay_in_the_folder() {
    let names =
        ["../../escape", "# Heading", "[click](javascript:x)", "a\nb\n\n# c\u{1b}[2J", "{{ id }}", "\u{202e}\u{2028}✝"];
    let objects: Vec<Value> = (0..)
        .zip(names)
        .map(|(number, name)| {
            json!({
                "type": "intrusion-set", "id": format!("g{number}"), "name": name, "aliases": ["<img src=x>"],
                "external_references": [{"source_name": "mitre-attack", "external_id": format!("G920{number}")}],
            })
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("bundle.json");
    fs::write(&source, json!({"type": "bundle", "objects": objects}).to_string()).unwrap();
    let output = folder.path().join("out");
    let report = build(&source, &output, &BuildOptions::default()).unwrap();
    assert_eq!(
        report.dossiers,
        [
            "g9200-escape.md",
            "g9201-heading.md",
            "g9202-click-javascript-x.md",
            "g9203-a-b-c-2j.md",
            "g9204-id.md",
            "g9205.md"
        ]
    );
    let headings: Vec<String> =
        texts(&output).into_values().map(|text| text.lines().next().unwrap().to_owned()).collect();
    assert_eq!(
        headings,
        [
            "# ../../escape (G9200)",
            "# \\# Heading (G9201)",
            "# \\[click\\](javascript:x) (G9202)",
            "# a b # c \\[2J (G9203)",
            "# {{ id }} (G9204)",
            "# ✝ (G9205)"
        ]
    );
    assert!(texts(&output).values().all(|text| text.contains("under the name \\<img src=x\\>.")));
    // A second build recognises the files of the first.
    assert_eq!(build(&source, &output, &BuildOptions::default()).unwrap().removed_files_n, 0);
}

#[test]
fn a_template_of_the_project_replaces_the_embedded_one() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("templates/corpus/attack");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("mitigation.md"), "# {{ label }}\n{{ techniques.total_n }} techniques\n").unwrap();
    let output = folder.path().join("out");
    let options = BuildOptions { templates: Some(folder.path().join("templates")), ..BuildOptions::default() };
    build(&project(BUNDLE), &output, &options).unwrap();
    let (built, mut expected) = (texts(&output), texts(&project(GOLDEN)));
    expected.insert("m9001-lock-keeper.md".to_owned(), "# Lock Keeper (M9001)\n2 techniques\n".to_owned());
    assert_eq!(built, expected);
    fs::write(own.join("mitigation.md"), "{{ techniqes.total_n }}").unwrap();
    let message = build(&project(BUNDLE), &output, &options).unwrap_err().to_string();
    assert!(message.starts_with("template `corpus/attack/mitigation.md`: "), "{message}");
    assert_eq!(texts(&output), built, "a failed build changes nothing");
}
