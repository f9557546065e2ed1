//! `ragsql gateway`, and the embedded gateway that `run` starts in-process.

mod config;
mod roles;

pub use config::{Embedded, Started};

use super::context::Context;
use super::interrupt::Interrupt;
use super::{Ended, runtime, variable};
use crate::cli::GatewayArgs;
use crate::error::{Failure, Kind, Result};
use crate::ui;
use std::net::{Ipv4Addr, SocketAddr};

/// Any free port of the loopback interface.
pub fn ephemeral() -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, 0))
}

/// Serves until Ctrl-C or SIGTERM.
pub fn gateway(context: &Context, arguments: &GatewayArgs) -> Result<Ended> {
    let experiment = context.experiment(&arguments.experiment)?;
    let dataset = match (&arguments.dataset, experiment.datasets.first()) {
        (Some(id), _) => experiment.dataset(id)?,
        (None, Some(first)) => std::sync::Arc::clone(first),
        (None, None) => return Err(Failure::new(Kind::Input, "the catalogue lists no dataset")),
    };
    let token = match &arguments.token_env {
        Some(name) => Some(variable(name).ok_or_else(|| {
            Failure::new(Kind::Input, format!("the environment variable `{name}` is not set or empty"))
        })?),
        None => None,
    };
    let embedded = Embedded::prepare(context, &experiment, &dataset)?;
    runtime()?.block_on(async {
        let mut interrupt = Interrupt::listen()?;
        let running = embedded.start(arguments.listen, token.clone()).await?;
        let client = token.as_deref();
        ui::status(&format!("ingest    {}", embedded.ingest(running.address(), client).await?));
        ui::status(&format!("gateway   http://{} answers from {}; Ctrl-C ends it", running.address(), dataset.id));
        ui::status(&format!("roles     {}", embedded.models_described()));
        ui::status(&format!("models    {}", embedded.aliases().join(", ")));
        interrupt.heard().await;
        running.stop().await;
        Ok(Ended::Done)
    })
}
