//! Failures of calls to services, as people see them.

use super::{Failure, Kind};
use crate::wire::call::EndpointError;
use crate::wire::ingest::client::IngestError;

impl From<EndpointError> for Failure {
    fn from(error: EndpointError) -> Self {
        let kind = match error {
            EndpointError::Client(_) => Kind::Outside,
            EndpointError::Url(_) | EndpointError::Header(_) | EndpointError::MissingKey(_) => Kind::Input,
        };
        Failure::new(kind, &error)
    }
}

impl From<IngestError> for Failure {
    fn from(error: IngestError) -> Self {
        match error {
            IngestError::Endpoint(error) => error.into(),
            IngestError::BlankToken => Failure::new(Kind::Input, &error),
            IngestError::Timeout { .. } => {
                Failure::new(Kind::Outside, &error).hint("the job may still go on; the same command waits for it again")
            }
            error => Failure::new(Kind::Outside, &error),
        }
    }
}
