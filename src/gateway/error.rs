//! What can go wrong in the gateway, outside its rooms of detail.

use super::corpus::CorpusError;
use super::lazy_graph::LazyGraphError;
use super::roles::RoleError;
use std::net::SocketAddr;

/// Why a gateway does not start or stops.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// The corpus index cannot be opened.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The embedding model does not answer.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The configuration contradicts itself.
    #[error("{0}")]
    Configuration(String),
    /// Another address than loopback without a token.
    #[error("listening on `{address}` needs a token, only loopback addresses do not")]
    TokenNeeded {
        /// The address that was asked for.
        address: SocketAddr,
    },
    /// The address cannot be listened on, or serving failed.
    #[error("cannot listen on `{address}`: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Why a question was not answered.
#[derive(Debug, thiserror::Error)]
pub enum ApproachError {
    /// The corpus index failed.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A model failed.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The knowledge graph cannot be asked this way.
    #[error("{0}")]
    Graph(String),
    /// The lazy graph's cache failed.
    #[error(transparent)]
    LazyGraph(#[from] LazyGraphError),
    /// A thread of ours panicked or was stopped.
    #[error("a worker thread stopped before it was done")]
    Worker,
}
