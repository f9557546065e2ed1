//! Limits of the machine itself, measured without anything of ours in between.

use crate::report::median;
use futures_util::future::join_all;
use ragsql::wire::call::{Endpoint, HttpClient};
use ragsql::wire::chat::ApproachRequest;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often the memory of a running process is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The middle time of an append of `bytes_n` bytes with its sync, over 200 of them.
pub fn sync_time(folder: &Path, bytes_n: usize) -> Duration {
    let path = folder.join("sync-probe");
    let mut file = OpenOptions::new().create(true).append(true).open(&path).expect("a file");
    let bytes = vec![b'x'; bytes_n];
    let times = (0..200).map(|_| {
        let start = Instant::now();
        file.write_all(&bytes).and_then(|()| file.sync_data()).expect("an append");
        start.elapsed().as_secs_f64()
    });
    let time = Duration::from_secs_f64(median(times.collect()));
    std::fs::remove_file(path).expect("the probe can be removed");
    time
}

/// Requests per second of the bare HTTP client, answers read but not looked at.
pub async fn requests_per_s(base: &str, requests_n: usize, concurrency: usize) -> f64 {
    let client = HttpClient::new(60.0).expect("a client");
    let endpoint = Endpoint::new(&format!("{base}/v1/chat/completions")).expect("a URL");
    let body = serde_json::to_vec(&ApproachRequest::new("vanilla-rag", "What is it?")).expect("a request");
    let start = Instant::now();
    join_all((0..concurrency).map(async |_| {
        for _ in 0..requests_n / concurrency {
            client.post(&endpoint, body.clone(), 60.0).await.expect("an answer");
        }
    }))
    .await;
    requests_n as f64 / start.elapsed().as_secs_f64()
}

/// A command of the built binary in a project. It gets no setting of whoever measures, only the search path.
pub fn ragsql(project: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragsql"));
    command.args(arguments).arg("--project").arg(project).env_clear();
    command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// How long a command took. What it said is shown when it fails.
pub fn timed(command: Command) -> Duration {
    run_to_its_end(command, |child| child.wait().expect("it can be waited for"))
}

/// How long a command took, and the most memory it held, in bytes; null where the system does not tell.
///
/// The peak is read from the running process, so what happens in its last moments is not seen.
pub fn watched(command: Command) -> (Duration, Option<u64>) {
    let mut peak = None;
    let elapsed = run_to_its_end(command, |child| {
        loop {
            peak = peak.max(peak_memory_bytes(child.id()));
            if let Some(status) = child.try_wait().expect("it can be waited for") {
                return status;
            }
            std::thread::sleep(LOOK_EVERY);
        }
    });
    (elapsed, peak)
}

fn run_to_its_end(mut command: Command, wait: impl FnOnce(&mut Child) -> ExitStatus) -> Duration {
    let log = tempfile::NamedTempFile::new().expect("a log file");
    command.stderr(log.reopen().expect("the log file"));
    let start = Instant::now();
    let mut child = command.spawn().expect("ragsql starts");
    let status = wait(&mut child);
    let elapsed = start.elapsed();
    if !status.success() {
        let told = std::fs::read_to_string(log.path()).unwrap_or_default();
        let last: Vec<&str> = told.lines().rev().take(10).collect();
        panic!("{command:?} ended with {status}:\n{}", last.into_iter().rev().collect::<Vec<_>>().join("\n"));
    }
    elapsed
}

fn peak_memory_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Processor time that this process has used so far, in seconds, whatever else the machine does.
pub fn processor_s() -> f64 {
    // SAFETY: `rusage` is a plain struct for which all zeroes is a valid value, and it outlives the call.
    let used = unsafe {
        let mut used: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut used);
        used
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(used.ru_utime) + seconds(used.ru_stime)
}
