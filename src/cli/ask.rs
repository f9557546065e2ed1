//! Arguments of the verbs that ask the evidence and take it elsewhere.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `sql`.
#[derive(Debug, Args)]
pub struct SqlArgs {
    /// The statement, for instance "from cells limit 5", or `@NAME` for a query of the catalogue, or `-` for what stdin
    /// holds. Default: a prompt when stdin is a terminal, else what stdin holds.
    #[arg(value_name = "STATEMENT", conflicts_with = "file")]
    pub statement: Option<String>,
    /// Answer the statements in FILE, one after the other.
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Give the parameter NAME this value; typed as the query's header says. Repeat for more.
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub parameters: Vec<String>,
    /// Print what a query of the catalogue does, its parameters and its columns.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["statement", "file"])]
    pub explain_query: Option<String>,
    /// Write rows as table, markdown, csv, json, jsonl, html, parquet or arrow. Default: by the ending of --output, else
    /// table.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// Write to FILE, under a temporary name until it is whole. Default: stdout.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Leave texts of CSV as they are, also those that a spreadsheet would run as formulas.
    #[arg(long)]
    pub raw: bool,
    /// Return at most N rows. Default: 1000 for table and markdown, all for the other formats.
    #[arg(long, value_name = "N")]
    pub rows: Option<usize>,
    /// Stop a statement after so many seconds; 0 never stops it. Default: 60, and never for files.
    #[arg(long, value_name = "SECONDS")]
    pub timeout_s: Option<u64>,
    /// Ask the gateway's index instead: the only one there is, or the one that holds DATASET's corpus.
    #[arg(long, value_name = "DATASET", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub corpus: Option<String>,
    /// Let statements write the database, read and write files, load extensions, and take all memory and time.
    #[arg(long = "unsafe")]
    pub is_unrestricted: bool,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Describe only this view. Default: all of them.
    #[arg(value_name = "VIEW")]
    pub view: Option<String>,
    /// Describe them in JSON, for tools.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// What to write: names below sql/exports. Default: all of them.
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,
    /// Write parquet, arrow, csv or jsonl. Default: by the ending of --output, else parquet.
    #[arg(long, value_name = "FORMAT", value_parser = ["parquet", "arrow", "csv", "jsonl"])]
    pub format: Option<String>,
    /// Write one file a table into DIR, or one table to FILE, when its name ends like the format. Each file has a temporary
    /// name until it is whole.
    #[arg(long, value_name = "DIR|FILE", default_value = "compare/results/export")]
    pub output: PathBuf,
    /// Take only these runs, separated by commas. Default: all of them.
    #[arg(long = "run", value_name = "ID,..", value_delimiter = ',')]
    pub runs: Vec<String>,
    /// Lay tables that have runs out as folders: dataset, run, or dataset,run.
    #[arg(long, value_name = "KEY,..", value_delimiter = ',', value_parser = ["dataset", "run"])]
    pub partition: Vec<String>,
    /// Leave texts of CSV as they are, also those that a spreadsheet would run as formulas.
    #[arg(long)]
    pub raw: bool,
}
