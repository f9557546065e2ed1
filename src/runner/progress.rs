//! The progress lines of a run as a pure function of its events.
//!
//! Reads events and the time it is given; returns text. Never looks at a clock or a terminal: `ui` decides when and
//! where to draw.

use super::event::Event;
use crate::evidence::row::Status;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Running cells shown at a time.
const SHOWN_CELLS: usize = 8;

/// What is known about a run so far.
#[derive(Debug)]
pub struct ProgressState {
    total: usize,
    done: usize,
    /// Finished by this run; what was stored before says nothing about its speed.
    made: usize,
    failed: usize,
    retried: usize,
    started: Instant,
    /// By the URL of the service.
    cuts: BTreeMap<String, Cut>,
    running: Vec<Running>,
}

/// The limit of a service is below where it started.
#[derive(Debug)]
struct Cut {
    from: usize,
    reason: String,
}

#[derive(Debug)]
struct Running {
    row_id: String,
    dataset: String,
    model: String,
    question: String,
    since: Instant,
    retries: u32,
}

impl ProgressState {
    /// Starts with `total` planned cells of which `done` are on disk.
    pub fn new(total: usize, done: usize, now: Instant) -> Self {
        let running = Vec::new();
        Self { total, done, made: 0, failed: 0, retried: 0, started: now, cuts: BTreeMap::new(), running }
    }

    /// Takes in one event.
    pub fn apply(&mut self, event: &Event, now: Instant) {
        match event {
            Event::CellStarted { cell } => self.running.push(Running {
                row_id: cell.row_id.clone(),
                dataset: cell.dataset.clone(),
                model: cell.model.clone(),
                question: cell.question.clone(),
                since: now,
                retries: 0,
            }),
            Event::CellRetry { cell, .. } => {
                if let Some(running) = self.running.iter_mut().find(|running| running.row_id == cell.row_id) {
                    self.retried += usize::from(running.retries == 0);
                    running.retries += 1;
                }
            }
            Event::CellFinished { cell, status, .. } => {
                self.done += 1;
                self.made += 1;
                self.failed += usize::from(*status != Status::Ok);
                self.forget(&cell.row_id);
            }
            Event::CellReused { cell } => {
                self.done += 1;
                self.forget(&cell.row_id);
            }
            Event::CellAbandoned { cell } => self.forget(&cell.row_id),
            Event::LimitChanged { service, from, to, reason } => self.cut_to(service, *from, *to, reason),
            Event::AttemptFinished { .. } => {}
        }
    }

    /// The lines to show, none wider than `width` columns: totals first, then the cells that run longest.
    pub fn lines(&self, now: Instant, width: usize) -> Vec<String> {
        let mut lines = vec![self.totals(now)];
        let shown = if self.running.len() > SHOWN_CELLS { SHOWN_CELLS - 1 } else { self.running.len() };
        let widest = |text: fn(&Running) -> &str| {
            self.running[..shown].iter().map(|cell| unicode_width::UnicodeWidthStr::width(text(cell))).max()
        };
        let datasets = widest(|cell| &cell.dataset).unwrap_or(0);
        let models = widest(|cell| &cell.model).unwrap_or(0);
        let questions = widest(|cell| &cell.question).unwrap_or(0);
        for cell in &self.running[..shown] {
            let mut line = format!(
                "  {}  {}  {}  {:>6}",
                padded(&cell.dataset, datasets),
                padded(&cell.model, models),
                padded(&cell.question, questions),
                duration(now.saturating_duration_since(cell.since)),
            );
            if cell.retries > 0 {
                line.push_str(&format!("  retry {}", cell.retries));
            }
            lines.push(line);
        }
        if self.running.len() > shown {
            lines.push(format!("  ... {} more", self.running.len() - shown));
        }
        lines.iter().map(|line| cut(line, width)).collect()
    }

    fn totals(&self, now: Instant) -> String {
        let elapsed_s = now.saturating_duration_since(self.started).as_secs_f64();
        let mut parts = vec![format!("cells {}/{}", self.done, self.total)];
        if let Some(percent) = (self.done * 100).checked_div(self.total) {
            parts[0].push_str(&format!(" ({percent} %)"));
        }
        if self.made > 0 && elapsed_s > 0.0 {
            let per_s = self.made as f64 / elapsed_s;
            parts.push(format!("{per_s:.1}/s"));
            let left = self.total.saturating_sub(self.done);
            if left > 0 {
                let left_s = Duration::try_from_secs_f64(left as f64 / per_s).unwrap_or(Duration::MAX);
                parts.push(format!("about {} left", duration(left_s)));
            }
        }
        parts.push(format!("{} failed, {} retried", self.failed, self.retried));
        let mut in_flight = format!("in flight {}", self.running.len());
        for (service, Cut { from, reason }) in &self.cuts {
            in_flight.push_str(&format!(" (limit of {} cut from {from}: {reason})", printable(authority(service))));
        }
        parts.push(in_flight);
        parts.join(" \u{b7} ")
    }

    /// Remembers where the limit of a service came from until it has recovered.
    fn cut_to(&mut self, service: &str, from: usize, to: usize, reason: &str) {
        let cut = match self.cuts.remove(service) {
            Some(cut) if to >= cut.from => None,
            Some(cut) if to > from => Some(cut),
            Some(cut) => Some(Cut { reason: reason.to_owned(), ..cut }),
            None => (to < from).then(|| Cut { from, reason: reason.to_owned() }),
        };
        if let Some(cut) = cut {
            self.cuts.insert(service.to_owned(), cut);
        }
    }

    fn forget(&mut self, row_id: &str) {
        // Keeps the order, so the longest-running cell stays on top.
        self.running.retain(|running| running.row_id != row_id);
    }
}

fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(unicode_width::UnicodeWidthStr::width(text));
    format!("{}{}", printable(text), " ".repeat(missing))
}

/// The part of a URL that people tell services apart by.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

/// Ids come from files; a control character in one must not move the cursor.
fn printable(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}

fn cut(line: &str, width: usize) -> String {
    let mut used = 0;
    let mut out = String::new();
    for character in line.chars() {
        used += unicode_width::UnicodeWidthChar::width(character).unwrap_or(0);
        if used > width {
            break;
        }
        out.push(character);
    }
    out
}

fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}
