//! Whom a run measures: the gateway inside this binary, or one at a URL.
//!
//! Choosing touches no network, so that a finished run starts nothing; only [`Target::start`] does.

use super::connections;
use crate::cli::{EMBEDDED, GatewayChoiceArgs};
use crate::commands::context::{Context, Selected};
use crate::commands::gateway::{Embedded, Started, ephemeral};
use crate::commands::variable;
use crate::error::Result;
use crate::experiment::load::Experiment;
use crate::ui;
use crate::wire::call::{Endpoint, HttpClient};
use serde_json::{Map, Value, json};

/// Deadline of the model list of a foreign gateway, in seconds.
const MODELS_TIMEOUT_S: f64 = 10.0;

/// The system measured.
pub enum Target {
    /// Ours, on an ephemeral loopback port.
    Embedded(Box<Ours>),
    /// Anybody's, by its base URL.
    Foreign(Box<Foreign>),
    /// None: every approach of the run is somewhere of its own.
    Own(Box<Own>),
}

/// The gateway inside this binary.
pub struct Ours {
    gateway: Embedded,
    /// Null when it scores its answers itself.
    evaluator: Option<Endpoint>,
}

/// The services that the approaches file names, with ours to score their answers.
pub struct Own {
    urls: Vec<String>,
    /// Null when nothing is scored, or somebody else scores.
    embedded: Option<Embedded>,
    evaluator: Option<Endpoint>,
}

/// A gateway at a URL.
pub struct Foreign {
    base: String,
    chat: Endpoint,
    models: Endpoint,
    evaluator: Option<Endpoint>,
}

/// A gateway that answers.
pub struct Service {
    /// Where chat completions are posted.
    pub chat: Endpoint,
    /// Where answers are scored; null when nobody scores them.
    pub evaluator: Option<Endpoint>,
    running: Option<Started>,
}

impl Target {
    /// Reads arguments and environment; calls nobody.
    pub fn choose(
        context: &Context,
        experiment: &Experiment,
        selected: &Selected,
        arguments: &GatewayChoiceArgs,
    ) -> Result<Self> {
        connections::try_all(experiment, selected)?;
        if arguments.is_embedded() {
            if let Some(urls) = connections::urls_of_all(experiment, selected) {
                let evaluator = evaluator(arguments)?;
                let scores = evaluator.is_none() && !experiment.manifest.ragas.is_empty();
                let embedded = || Embedded::without_documents(context, experiment, &selected.dataset);
                let embedded = scores.then(embedded).transpose()?;
                return Ok(Self::Own(Box::new(Own { urls, embedded, evaluator })));
            }
            let gateway = Embedded::prepare(context, experiment, &selected.dataset)?;
            return Ok(Self::Embedded(Box::new(Ours { gateway, evaluator: evaluator(arguments)? })));
        }
        let scores = arguments.evaluator_url.is_some() || !experiment.manifest.ragas.is_empty();
        let evaluator = scores.then(|| foreign_evaluator(arguments)).transpose()?;
        Ok(Self::Foreign(Box::new(Foreign {
            chat: keyed(arguments, "/v1/chat/completions")?,
            models: keyed(arguments, "/v1/models")?,
            base: base(arguments).to_owned(),
            evaluator,
        })))
    }

    /// `approach.provider` of every row.
    pub fn provider(&self) -> &'static str {
        match self {
            Self::Embedded(_) => EMBEDDED,
            Self::Foreign(_) | Self::Own(_) => connections::PROVIDER,
        }
    }

    /// Who provides the model that answers; null when the gateway does not say.
    pub fn answer_provider(&self) -> Option<&str> {
        match self {
            Self::Embedded(ours) => ours.gateway.answer_provider(),
            Self::Foreign(_) | Self::Own(_) => None,
        }
    }

    /// Whether answers come from a built-in heuristic.
    pub fn answers_by_itself(&self) -> bool {
        matches!(self, Self::Embedded(ours) if ours.gateway.answers_by_itself())
    }

    /// How people call it.
    pub fn described(&self) -> String {
        match self {
            Self::Embedded(ours) => format!("embedded ({})", ours.gateway.models_described()),
            Self::Foreign(foreign) => foreign.chat.shown().trim_end_matches("/v1/chat/completions").to_owned(),
            Self::Own(own) => own.urls.join(", "),
        }
    }

    /// Base URL for provenance; null for ours, whose port is new every time, and without a gateway.
    pub fn base(&self) -> Option<&str> {
        match self {
            Self::Embedded(_) | Self::Own(_) => None,
            Self::Foreign(foreign) => Some(&foreign.base),
        }
    }

    /// The model of each role, as far as it is known without asking.
    pub fn roles(&self) -> Map<String, Value> {
        match self {
            Self::Embedded(ours) => scored_by(ours.gateway.roles(), ours.evaluator.as_ref()),
            Self::Foreign(_) => Map::new(),
            Self::Own(own) => {
                let roles = own.embedded.as_ref().map(Embedded::scoring_roles).unwrap_or_default();
                scored_by(roles, own.evaluator.as_ref())
            }
        }
    }

    /// The model names the gateway offers, sorted: known for ours, asked of a foreign one (null when it does not say).
    pub fn inventory(&self) -> Result<Option<Vec<String>>> {
        match self {
            Self::Embedded(ours) => Ok(Some(ours.gateway.aliases())),
            Self::Foreign(foreign) => foreign.inventory(),
            Self::Own(_) => Ok(None),
        }
    }

    /// `reproducibility.ingestion` of every row: what is known about the corpus behind the answers.
    pub fn ingestion(&self) -> Map<String, Value> {
        match self {
            Self::Embedded(ours) => ours.gateway.ingestion(),
            Self::Foreign(_) | Self::Own(_) => declared_ingestion(),
        }
    }

    /// Starts and fills our gateway, or finds the foreign one.
    pub async fn start(&self) -> Result<Service> {
        match self {
            Self::Embedded(ours) => {
                let running = ours.gateway.start(ephemeral(), None).await?;
                let ingested = ours.gateway.ingest(running.address(), None).await?;
                ui::status(&format!("  ingest          {ingested}"));
                let base = format!("http://{}", running.address());
                let evaluator = match &ours.evaluator {
                    Some(evaluator) => evaluator.clone(),
                    None => Endpoint::new(&format!("{base}/api/rag/evaluate"))?,
                };
                Ok(Service {
                    chat: Endpoint::new(&format!("{base}/v1/chat/completions"))?,
                    evaluator: Some(evaluator),
                    running: Some(running),
                })
            }
            Self::Own(own) => own.start().await,
            Self::Foreign(foreign) => {
                Ok(Service { chat: foreign.chat.clone(), evaluator: foreign.evaluator.clone(), running: None })
            }
        }
    }
}

impl Own {
    async fn start(&self) -> Result<Service> {
        let chat = Endpoint::new(&format!("{}/chat/completions", self.urls.first().map_or("", String::as_str)))?;
        let Some(embedded) = &self.embedded else {
            return Ok(Service { chat, evaluator: self.evaluator.clone(), running: None });
        };
        let running = embedded.start(ephemeral(), None).await?;
        let evaluator = Some(Endpoint::new(&format!("http://{}/api/rag/evaluate", running.address()))?);
        Ok(Service { chat, evaluator, running: Some(running) })
    }
}

impl Foreign {
    fn inventory(&self) -> Result<Option<Vec<String>>> {
        let client = HttpClient::new(MODELS_TIMEOUT_S)?;
        let reply = crate::commands::runtime()?.block_on(client.get(&self.models, MODELS_TIMEOUT_S));
        let body = match reply {
            Ok(reply) => reply.body,
            Err(failure) => {
                ui::warning(&format!("the gateway lists no models: {}", failure.message));
                return Ok(None);
            }
        };
        Ok(listed_models(&body))
    }
}

impl Service {
    /// Stops our gateway; a foreign one is left alone.
    pub async fn stop(self) {
        if let Some(running) = self.running {
            running.stop().await;
        }
    }
}

/// The ids of a model list (`{"data": [{"id": ..}, ..]}`), sorted; null for anything else.
pub fn listed_models(body: &[u8]) -> Option<Vec<String>> {
    let parsed = crate::json::parse_strict(std::str::from_utf8(body).ok()?).ok()?;
    let models = parsed.get("data")?.as_array()?;
    let mut names: Vec<String> =
        models.iter().filter_map(|model| model.get("id")?.as_str().map(str::to_owned)).collect();
    names.sort();
    names.dedup();
    Some(names)
}

/// The evaluator that is not inside this binary: the one that was named, else that of the gateway that was named.
pub fn foreign_evaluator(arguments: &GatewayChoiceArgs) -> Result<Endpoint> {
    if let Some(endpoint) = evaluator(arguments)? {
        return Ok(endpoint);
    }
    keyed(arguments, "/api/rag/evaluate")
}

/// Roles whose evaluator is the one that was named on the command line, when there is one.
fn scored_by(mut roles: Map<String, Value>, evaluator: Option<&Endpoint>) -> Map<String, Value> {
    if let Some(evaluator) = evaluator {
        roles.insert("ragas_evaluator".to_owned(), json!({"provider": "external", "endpoint": evaluator.shown()}));
    }
    roles
}

/// The gateway that was named, without what comes behind its base.
fn base(arguments: &GatewayChoiceArgs) -> &str {
    arguments.gateway.trim_end_matches('/').trim_end_matches("/v1")
}

/// A path of the gateway that was named, with its key.
fn keyed(arguments: &GatewayChoiceArgs, path: &str) -> Result<Endpoint> {
    let endpoint = Endpoint::new(&format!("{}{path}", base(arguments)))?;
    Ok(match &arguments.api_key_env {
        Some(name) => endpoint.bearer_from_env(name)?,
        None => endpoint,
    })
}

/// The evaluator named on the command line, with the header that the environment may add (contract 1.5).
fn evaluator(arguments: &GatewayChoiceArgs) -> Result<Option<Endpoint>> {
    let Some(url) = &arguments.evaluator_url else { return Ok(None) };
    let endpoint = Endpoint::new(url)?;
    Ok(Some(match variable("MATRIX_EVALUATOR_API_KEY") {
        Some(key) => {
            let name = variable("MATRIX_EVALUATOR_API_KEY_HEADER").unwrap_or_else(|| "apikey".to_owned());
            endpoint.header(&name, &key)?
        }
        None => endpoint,
    }))
}

/// What the `MATRIX_INGESTION_*` variables say about a foreign gateway's corpus; `mode` is `external` by default.
fn declared_ingestion() -> Map<String, Value> {
    let (id, job) = (variable("MATRIX_INGESTION_ID"), variable("MATRIX_INGESTION_JOB_ID"));
    let parts = [
        ("id", id.clone().or(job.clone())),
        ("job_id", job.or(id)),
        ("profile", variable("MATRIX_INGESTION_PROFILE")),
        ("revision", variable("MATRIX_INGESTION_REVISION")),
        ("content_digest", variable("MATRIX_INGESTION_CONTENT_DIGEST")),
        ("mode", variable("MATRIX_INGESTION_MODE").or_else(|| Some("external".to_owned()))),
    ];
    parts.into_iter().filter_map(|(key, value)| Some((key.to_owned(), Value::String(value?)))).collect()
}
