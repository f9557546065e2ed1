//! The state of a folder as git sees it.

use crate::evidence::row::hex;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Each git command may take this long.
const TIMEOUT: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(2);

/// A commit and everything that differs from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GitState {
    /// Commit checked out.
    pub commit: String,
    /// Its tree.
    pub tree: String,
    /// Whether anything differs from the commit, files that git does not track included.
    pub dirty: bool,
    /// SHA-256 hex over the difference; see [`git_state`].
    pub patch_sha256: String,
    /// Always `exact`: the digest covers contents, not only names.
    pub patch_capture: &'static str,
    /// Folders that the difference leaves out, relative to the project; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<String>,
}

/// Says why the state could not be learned although the folder is a git work tree.
#[derive(Debug, thiserror::Error)]
pub enum ProvenanceError {
    /// A command took too long.
    #[error("`git {command}` did not end within {} s", TIMEOUT.as_secs())]
    Timeout {
        /// Arguments of the command.
        command: String,
    },
    /// A command failed.
    #[error("`git {command}` failed: {reason}")]
    Failed {
        /// Arguments of the command.
        command: String,
        /// What git said.
        reason: String,
    },
    /// A file that git does not track could not be read.
    #[error("cannot read `{path}` for the patch digest: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// Learns the git state of a folder; null when git is missing, the folder is no work tree, or nothing is committed.
///
/// `excluded` are paths inside the folder whose changes do not count: a run writes its own results there, and a resume
/// must find the state it began with. The digest is SHA-256 over `tracked-patch` NUL, 8 bytes big-endian length and
/// `git diff --binary HEAD`; then `untracked-files` NUL and, for each untracked file that is not ignored, sorted by
/// bytes, length and path, length and content (of a link, its target). A file that vanishes meanwhile is skipped.
pub fn git_state(folder: &Path, excluded: &[&Path]) -> Result<Option<GitState>, ProvenanceError> {
    let git = Git { folder, excluded: excluded.iter().filter_map(|path| inside(folder, path)).collect() };
    let Some(commit) = git.revision("HEAD")? else {
        return Ok(None);
    };
    let Some(tree) = git.revision("HEAD^{tree}")? else {
        return Ok(None);
    };
    let status = git.changes(&["status", "--porcelain", "--untracked-files=all"])?;
    let patch = git.changes(&["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--binary", "HEAD"])?;
    let untracked = git.changes(&["ls-files", "--others", "--exclude-standard", "-z"])?;
    Ok(Some(GitState {
        commit,
        tree,
        dirty: !status.is_empty(),
        patch_sha256: digest(folder, &patch, &untracked)?,
        patch_capture: "exact",
        excluded: git.excluded.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
    }))
}

/// Names a path relative to the folder; null when it lies outside or is the folder itself.
fn inside(folder: &Path, path: &Path) -> Option<OsString> {
    let folder = fs::canonicalize(folder).ok()?;
    // What does not exist yet cannot be resolved: then the nearest parent that does decides.
    let absolute = folder.join(path);
    let mut existing = absolute.as_path();
    let resolved = loop {
        match fs::canonicalize(existing) {
            Ok(resolved) => break resolved.join(absolute.strip_prefix(existing).ok()?),
            Err(_) => existing = existing.parent()?,
        }
    };
    let relative = resolved.strip_prefix(&folder).ok()?.as_os_str();
    // Joining with an empty rest leaves a slash behind.
    let relative = relative.as_bytes().strip_suffix(b"/").unwrap_or(relative.as_bytes());
    (!relative.is_empty()).then(|| OsStr::from_bytes(relative).to_owned())
}

fn digest(folder: &Path, patch: &[u8], untracked: &[u8]) -> Result<String, ProvenanceError> {
    let mut hasher = Sha256::new();
    hasher.update(b"tracked-patch\0");
    update_with_length(&mut hasher, patch);
    hasher.update(b"untracked-files\0");
    let mut paths: Vec<&[u8]> = untracked.split(|byte| *byte == 0).filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    for path in paths {
        let absolute = folder.join(OsStr::from_bytes(path));
        match content(&absolute) {
            Ok(content) => {
                update_with_length(&mut hasher, path);
                update_with_length(&mut hasher, &content);
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(source) => return Err(ProvenanceError::Unreadable { path: absolute, source }),
        }
    }
    Ok(hex(&hasher.finalize()))
}

fn update_with_length(hasher: &mut Sha256, bytes: &[u8]) {
    hasher.update((bytes.len() as u64).to_be_bytes());
    hasher.update(bytes);
}

fn content(path: &Path) -> io::Result<Vec<u8>> {
    let kind = fs::symlink_metadata(path)?.file_type();
    if kind.is_symlink() {
        return Ok(fs::read_link(path)?.into_os_string().into_vec());
    }
    // Git lists a repository inside this one as a folder: its name counts, its content is its own affair.
    if kind.is_dir() { Ok(Vec::new()) } else { fs::read(path) }
}

struct Git<'a> {
    folder: &'a Path,
    excluded: Vec<OsString>,
}

impl Git<'_> {
    /// Resolves a revision; null when there is no git, no work tree or no such revision.
    fn revision(&self, name: &str) -> Result<Option<String>, ProvenanceError> {
        let arguments = ["rev-parse", "--verify", "--quiet", name].map(OsString::from);
        let Some(finished) = self.run(&arguments)? else {
            return Ok(None);
        };
        let text = String::from_utf8_lossy(&finished.output).trim().to_owned();
        Ok((finished.success && !text.is_empty()).then_some(text))
    }

    /// Runs a command that lists changes, limited to the folder without what is excluded.
    fn changes(&self, arguments: &[&str]) -> Result<Vec<u8>, ProvenanceError> {
        let mut arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        arguments.extend(["--", "."].map(OsString::from));
        for path in &self.excluded {
            let mut pathspec = OsString::from(":(exclude,literal)");
            pathspec.push(path);
            arguments.push(pathspec);
        }
        let command = || shown(&arguments);
        match self.run(&arguments)? {
            Some(finished) if finished.success => Ok(finished.output),
            Some(finished) => Err(ProvenanceError::Failed { command: command(), reason: finished.complaint }),
            None => Err(ProvenanceError::Failed { command: command(), reason: "git is not there any more".to_owned() }),
        }
    }

    /// Runs one command; null when there is no git.
    fn run(&self, arguments: &[OsString]) -> Result<Option<Finished>, ProvenanceError> {
        let failed =
            |error: io::Error| ProvenanceError::Failed { command: shown(arguments), reason: error.to_string() };
        let mut command = Command::new("git");
        // Only the folder decides: neither a hook's environment nor a person's settings may change the digest.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_DIFF_OPTS", "GIT_EXTERNAL_DIFF"] {
            command.env_remove(name);
        }
        command
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("LC_ALL", "C")
            .args(["-c", "diff.noprefix=false", "-c", "diff.mnemonicPrefix=false", "-c", "diff.renames=true"])
            .args(["-c", "diff.interHunkContext=0", "-c", "diff.submodule=short", "-c", "core.quotePath=true"])
            .args(["-c", "diff.algorithm=default", "-c", "diff.context=3", "-c", "core.fsmonitor=false"])
            .arg("-C")
            .arg(self.folder)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let output = read_aside(child.stdout.take());
        let complaint = read_aside(child.stderr.take());
        let Some(success) = wait(&mut child).map_err(failed)? else {
            return Err(ProvenanceError::Timeout { command: shown(arguments) });
        };
        let complaint = complaint.join().unwrap_or_else(|_| Ok(Vec::new())).map_err(failed)?;
        Ok(Some(Finished {
            success,
            output: output.join().unwrap_or_else(|_| Err(ErrorKind::Other.into())).map_err(failed)?,
            complaint: String::from_utf8_lossy(&complaint).trim().to_owned(),
        }))
    }
}

struct Finished {
    success: bool,
    output: Vec<u8>,
    complaint: String,
}

/// Reads a pipe on its own thread, so that a full pipe cannot block git.
fn read_aside(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<io::Result<Vec<u8>>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    })
}

/// Waits for the end; null, and the process is gone, when it takes too long.
fn wait(child: &mut Child) -> io::Result<Option<bool>> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(POLL);
    }
}

fn shown(arguments: &[OsString]) -> String {
    arguments.iter().map(|argument| argument.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
