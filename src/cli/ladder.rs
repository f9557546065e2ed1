//! Arguments of `ladder`.

use super::{ExperimentArgs, GatewayChoiceArgs};
use clap::Args;

/// Arguments of `ladder`.
#[derive(Debug, Args)]
pub struct LadderArgs {
    /// Measure the dataset with this id; give it again for more. Default: every measured dataset of the catalogue.
    #[arg(long, value_name = "ID")]
    pub dataset: Vec<String>,
    /// Let --dataset name candidates, too. Publication makes them measured.
    #[arg(long)]
    pub include_candidates: bool,
    /// Name runs and published files after DATE. Default: today in UTC; --resume must be told.
    #[arg(long, value_name = "DATE")]
    pub date_stamp: Option<String>,
    /// Go on with the ladder of --date-stamp: cells, verdicts and publications that are there stay, and no corpus that is
    /// ingested is ingested again.
    #[arg(long, visible_alias = "no-cold-reset")]
    pub resume: bool,
    /// Call failed cells again, and ask judges again who scored nobody. Old rows move to a side file.
    #[arg(long, requires = "resume")]
    pub retry_errors: bool,
    /// Ask exactly these aliases, separated by commas. Default: the approaches of the manifest.
    #[arg(long, value_name = "ALIAS,..", value_delimiter = ',', conflicts_with = "flavors")]
    pub approaches: Vec<String>,
    /// Ask these bases with their flavors: `default`, `all`, a base, or an alias, separated by commas.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub flavors: Vec<String>,
    /// Measure every flavor as a tier of its own, on the same ingestion. The leaderboards need both tiers.
    #[arg(long, conflicts_with_all = ["approaches", "flavors"])]
    pub include_flavor_tier: bool,
    /// Keep at most N cells in flight, 1 to 32. Default: the manifest's.
    #[arg(long, value_name = "N", env = "MATRIX_CONCURRENCY", value_parser = clap::value_parser!(u16).range(1..=32))]
    pub concurrency: Option<u16>,
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    #[command(flatten)]
    pub gateway: GatewayChoiceArgs,
}
