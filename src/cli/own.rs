//! Arguments of the verbs that bring somebody's own: `init`, `dataset` and `import`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Make the project in DIR. Nothing that is there is overwritten.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Ask the RAG service at URL, an OpenAI-compatible base URL like http://127.0.0.1:8000/v1. Default: the gateway
    /// inside this binary, over your documents.
    #[arg(long, value_name = "URL", group = "service")]
    pub endpoint: Option<String>,
    /// Ask the service at URL, and choose among the models it lists.
    #[arg(long, value_name = "URL", group = "service")]
    pub from: Option<String>,
    /// Measure these models, separated by commas. Default: asked for on a terminal.
    #[arg(long = "alias", value_name = "NAME,..", value_delimiter = ',')]
    pub aliases: Vec<String>,
    /// Take the service's bearer key from the environment variable NAME. Default: no key.
    #[arg(long, value_name = "NAME", requires = "service")]
    pub api_key_env: Option<String>,
    /// Copy the questions of FILE (.csv, .yaml, .jsonl). Default: two sample questions.
    #[arg(long, value_name = "FILE")]
    pub questions: Option<PathBuf>,
    /// Name the folder of documents. It stays where it is. Default: corpus/<dataset> inside the project.
    #[arg(long, value_name = "DIR")]
    pub documents: Option<PathBuf>,
    /// Call the dataset ID.
    #[arg(long, value_name = "ID", default_value = "mine")]
    pub dataset: String,
    /// Ask nothing, even on a terminal.
    #[arg(long)]
    pub yes: bool,
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Evidence (.jsonl), a matrix of any date, Inspect logs (.json, .eval), promptfoo results (.json), Ragas results (.csv,
    /// .jsonl). What is not evidence becomes rows marked with their origin, in compare/results/imported.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Load the judge panel's artifact of these rows too.
    #[arg(long, value_name = "FILE")]
    pub judgments: Option<PathBuf>,
    /// Put foreign results under this dataset. Default: what the file says, else the name of the tool.
    #[arg(long, value_name = "ID")]
    pub dataset: Option<String>,
    /// Put foreign results under this approach. Default: what the file says, else the name of the tool.
    #[arg(long, value_name = "NAME")]
    pub approach: Option<String>,
    /// Name the run of foreign results. Default: `import-` and the file's name.
    #[arg(long, value_name = "ID")]
    pub run_id: Option<String>,
}

/// Arguments of `dataset`.
#[derive(Debug, Args)]
pub struct DatasetArgs {
    /// What to do with a dataset.
    #[command(subcommand)]
    pub command: DatasetCommand,
}

/// What can be done with a dataset.
#[derive(Debug, Subcommand)]
pub enum DatasetCommand {
    /// Take in a public benchmark: documents, questions, and an entry of compare/datasets.yaml.
    Add(DatasetAddArgs),
}

/// Arguments of `dataset add`.
#[derive(Debug, Args)]
pub struct DatasetAddArgs {
    /// Call the dataset ID: a-z, 0-9, `.`, `_` and `-`.
    #[arg(value_name = "ID")]
    pub id: String,
    /// Read the benchmark from PATH: a folder for beir and multihop-rag, a file for hotpotqa and squad.
    #[arg(long, value_name = "PATH")]
    pub from: PathBuf,
    /// How the benchmark is laid out.
    #[arg(long, value_enum, value_name = "LAYOUT")]
    pub layout: LayoutArg,
    /// Take the judgements of qrels/SPLIT.tsv. For beir.
    #[arg(long, value_name = "SPLIT", default_value = "test")]
    pub split: String,
    /// Name the dataset for people. Default: its id.
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
    /// Keep the first N questions. Documents are kept all. Default: all of them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,
}

/// The layouts of public benchmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LayoutArg {
    /// corpus.jsonl, queries.jsonl and qrels/<split>.tsv.
    Beir,
    /// A JSON list of questions with `context` and `supporting_facts`.
    Hotpotqa,
    /// A JSON object with `data`, version 1.1 or 2.0.
    Squad,
    /// corpus.json and MultiHopRAG.json.
    MultihopRag,
}

/// An amount of money: a finite number above 0.
pub fn amount(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(amount) if amount.is_finite() && amount > 0.0 => Ok(amount),
        _ => Err("it must be a number above 0".to_owned()),
    }
}
