//! What a run was made with.

use super::support::object;
use ragsql::evidence::provenance::{GatewayInputs, JudgeInputs, RuntimeInputs, git_state, runtime};
use ragsql::evidence::row::hex;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

fn git(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "commit.gpgsign=false", "-C"])
        .arg(folder)
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// A work tree with one committed file and an ignored one.
fn work_tree() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "--quiet"]);
    fs::write(folder.path().join("notes.txt"), "one\n").unwrap();
    fs::write(folder.path().join(".gitignore"), "*.log\n").unwrap();
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "-m", "first"]);
    fs::write(folder.path().join("a.log"), "ignored").unwrap();
    folder
}

fn digest(patch: &[u8], untracked: &[(&str, &str)]) -> String {
    let with_length = |bytes: &[u8]| [&(bytes.len() as u64).to_be_bytes()[..], bytes].concat();
    let mut text = [b"tracked-patch\0".to_vec(), with_length(patch), b"untracked-files\0".to_vec()].concat();
    for (path, content) in untracked {
        text.extend(with_length(path.as_bytes()));
        text.extend(with_length(content.as_bytes()));
    }
    hex(&Sha256::digest(&text))
}

#[test]
fn a_clean_work_tree_has_the_digest_of_nothing() {
    let folder = work_tree();
    let state = git_state(folder.path(), &[]).unwrap().unwrap();
    let head = String::from_utf8(git(folder.path(), &["rev-parse", "HEAD", "HEAD^{tree}"])).unwrap();
    assert_eq!(head, format!("{}\n{}\n", state.commit, state.tree));
    assert_eq!((state.dirty, state.patch_capture), (false, "exact"));
    assert_eq!(state.patch_sha256, digest(b"", &[]));
    // The digest that a clean checkout has in published evidence.
    assert_eq!(state.patch_sha256, "3609b28c0c5a318c567b989afb4c72264a6af9d9a8e22b77182cc01eca02e661");
}

#[test]
fn changes_and_untracked_files_enter_the_digest_in_byte_order() {
    let folder = work_tree();
    fs::write(folder.path().join("notes.txt"), "two\n").unwrap();
    fs::write(folder.path().join("é.txt"), "x").unwrap();
    fs::create_dir(folder.path().join("z")).unwrap();
    fs::write(folder.path().join("z/a"), "").unwrap();
    std::os::unix::fs::symlink("notes.txt", folder.path().join("Link")).unwrap();
    let state = git_state(folder.path(), &[]).unwrap().unwrap();
    let patch = git(folder.path(), &["diff", "--binary", "HEAD", "--", "."]);
    assert!(state.dirty && !patch.is_empty());
    assert_eq!(state.patch_sha256, digest(&patch, &[("Link", "notes.txt"), ("z/a", ""), ("é.txt", "x")]));
}

#[test]
fn the_runs_own_results_do_not_change_the_state() {
    let folder = work_tree();
    let results = folder.path().join("compare/results");
    let before = git_state(folder.path(), &[&results]).unwrap().unwrap();
    fs::create_dir_all(&results).unwrap();
    fs::write(results.join("rows.jsonl"), "{}\n").unwrap();
    let after = git_state(folder.path(), &[&results]).unwrap().unwrap();
    assert_eq!(before, after);
    assert_eq!((after.dirty, &after.excluded[..]), (false, &["compare/results".to_owned()][..]));
    assert!(git_state(folder.path(), &[]).unwrap().unwrap().dirty);
    fs::write(folder.path().join("compare/manifest.yaml"), "").unwrap();
    assert!(git_state(folder.path(), &[Path::new("compare/results")]).unwrap().unwrap().dirty);
}

#[test]
fn a_persons_git_settings_do_not_change_the_digest() {
    let folder = work_tree();
    fs::write(folder.path().join("notes.txt"), "two\n").unwrap();
    let before = git_state(folder.path(), &[]).unwrap();
    for (name, value) in
        [("diff.noprefix", "true"), ("diff.external", "false"), ("color.ui", "always"), ("diff.context", "0")]
    {
        git(folder.path(), &["config", name, value]);
    }
    assert_eq!(git_state(folder.path(), &[]).unwrap(), before);
}

#[test]
fn a_folder_without_a_commit_has_no_state() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(git_state(folder.path(), &[]).unwrap(), None);
    git(folder.path(), &["init", "--quiet"]);
    assert_eq!(git_state(folder.path(), &[]).unwrap(), None);
}

#[test]
fn keys_without_a_source_are_there_and_null_and_secrets_are_not() {
    let inputs = RuntimeInputs {
        project: "harbour".to_owned(),
        project_git: None,
        llm_provider: None,
        judge_panel: JudgeInputs { endpoint: Some("http://me:secret@host/v1".to_owned()), ..JudgeInputs::default() },
        gateway: GatewayInputs {
            kind: "embedded".to_owned(),
            url: None,
            roles: object(json!({"embed": "builtin/hashed"})),
            models: None,
            approaches: serde_json::Map::new(),
        },
    };
    assert_eq!(
        serde_json::Value::Object(runtime(&inputs)),
        json!({
            "project": "harbour", "base_port": null, "provider_sources": {"llm": null, "comfyui": null},
            "rag_showcase": null, "atlas": null,
            "judge_panel": {"endpoint": "http://host/v1", "models": [], "thinking": null},
            "runtime_files": {"model_inventory": null, "lightrag_query_profiles": null},
            "ragsql": {"version": env!("CARGO_PKG_VERSION")},
            "gateway": {"kind": "embedded", "url": null, "roles": {"embed": "builtin/hashed"}, "models": null},
        })
    );
}
