//! How failures of the gateway are told.

use super::{Failure, Kind};
use crate::gateway::GatewayError;
use crate::gateway::corpus::CorpusError;
use crate::gateway::ingestion::IngestionError;
use crate::gateway::local::LocalModelError;
use crate::gateway::remote::PromptError;

impl From<GatewayError> for Failure {
    fn from(error: GatewayError) -> Self {
        match error {
            GatewayError::Corpus(error) => error.into(),
            GatewayError::Role(_) => Failure::new(Kind::Outside, &error)
                .hint("see the endpoint of `embed` in `compare/roles.yaml`; `--roles builtin` needs none"),
            GatewayError::Listen { .. } => Failure::new(Kind::Outside, &error),
            GatewayError::TokenNeeded { .. } => Failure::new(Kind::Input, &error)
                .hint("name an environment variable that holds a token with `--token-env`, or bind to 127.0.0.1"),
            GatewayError::Configuration(_) => Failure::new(Kind::Input, &error),
        }
    }
}

impl From<LocalModelError> for Failure {
    fn from(error: LocalModelError) -> Self {
        Failure::new(Kind::Input, &error).hint("`make models` fetches the model that `local` means; nothing was called")
    }
}

impl From<PromptError> for Failure {
    fn from(error: PromptError) -> Self {
        Failure::new(Kind::Input, &error)
    }
}

impl From<CorpusError> for Failure {
    fn from(error: CorpusError) -> Self {
        match error {
            CorpusError::Foreign { .. } | CorpusError::Damaged { .. } => Failure::new(Kind::Input, &error)
                .hint("name another index file, or remove this one: it can be built again from the corpus"),
            CorpusError::OtherModel { .. } | CorpusError::Version { .. } => Failure::new(Kind::Input, &error).hint(
                "use one index file per embedding model and program version, or remove this one and ingest again",
            ),
            CorpusError::Busy { .. } => {
                Failure::new(Kind::Outside, &error).hint("stop the other process, or name another index file")
            }
            CorpusError::NotIngested { .. } => {
                Failure::new(Kind::Input, &error).hint("submit it to `/api/rag/ingestions` first")
            }
            CorpusError::NoGraph { .. } => {
                Failure::new(Kind::Input, &error).hint("ingest it again with an alias of `graph-rag`")
            }
            CorpusError::Dimension { .. } | CorpusError::Statement { .. } => Failure::new(Kind::Input, &error),
            CorpusError::Interrupted | CorpusError::Database { .. } => Failure::new(Kind::Outside, &error),
        }
    }
}

impl From<IngestionError> for Failure {
    fn from(error: IngestionError) -> Self {
        match error {
            IngestionError::Corpus(error) => error.into(),
            IngestionError::UnknownProfile { .. }
            | IngestionError::Request(_)
            | IngestionError::UnknownJob(_)
            | IngestionError::Discover(_) => Failure::new(Kind::Input, &error),
            IngestionError::Record(_) | IngestionError::Phase(_) | IngestionError::Worker => {
                Failure::new(Kind::Outside, &error)
            }
        }
    }
}
