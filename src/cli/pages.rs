//! Arguments of the verbs that make pages and show them.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The page to write. Default: every page; --list shows them.
    #[arg(value_name = "PAGE")]
    pub page: Option<String>,
    /// Show only this run. Default: every run.
    #[arg(long, value_name = "ID")]
    pub run: Option<String>,
    /// Write below DIR. Default: pages about published files below docs, pages about runs below compare/results/pages.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write one self-contained HTML file: the page `report`, or the one that is named.
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    pub html: Option<PathBuf>,
    /// List the pages, where they go, and every statement behind them with its version and where it came from.
    #[arg(long, conflicts_with_all = ["page", "run", "output", "html"])]
    pub list: bool,
    /// Say whether a page written earlier is still what its inputs give. Writes nothing.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["page", "output", "html", "list"])]
    pub verify: Option<PathBuf>,
}

/// Arguments of `view`.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// Listen on this port of the loopback interface; 0 takes any free one.
    #[arg(long, value_name = "PORT", env = "RAGSQL_VIEW_PORT", default_value_t = 8687)]
    pub port: u16,
}
