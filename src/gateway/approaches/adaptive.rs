//! `n8n-adaptive-rag`: the class of the question decides which approach answers (`contract/gateway.md` section 2.6).
//!
//! Classifying and routing are our own (decision 0.7) unless a webhook does both. The delegate's evidence is passed on.

use super::{Answered, Approach};
use crate::gateway::config::AliasProfile;
use crate::gateway::engine::Engine;
use crate::gateway::error::ApproachError;
use crate::gateway::roles::Usage;
use crate::gateway::routing::{BASE, Route, RouteMap};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The call to whoever classified.
const CLASSIFIER_CALLS: u64 = 1;

/// An approach for each class of question.
#[derive(Debug, Clone, PartialEq)]
pub struct Adaptive {
    simple: Delegate,
    complex: Delegate,
}

#[derive(Debug, Clone, PartialEq)]
struct Delegate {
    alias: String,
    approach: Box<Approach>,
}

impl Adaptive {
    /// Finds the targets of the routes among the aliases on offer; a base that is not on offer has its defaults.
    pub(super) fn read(offered: &[AliasProfile], routes: &RouteMap) -> Result<Self, String> {
        let delegate = |route: Route| {
            let name = routes.alias(route);
            let base = || AliasProfile {
                alias: name.to_owned(),
                base: name.to_owned(),
                flavor: "default".to_owned(),
                params: BTreeMap::new(),
            };
            let alias = offered.iter().find(|alias| alias.alias == name).cloned().unwrap_or_else(base);
            if alias.base == BASE {
                return Err(format!("the route `{}` leads to `{name}`, which routes itself", route.as_str()));
            }
            let approach = Approach::from_alias(&alias, offered, routes);
            let approach = approach.map_err(|error| format!("the route `{}`: {error}", route.as_str()))?;
            Ok(Delegate { alias: alias.alias, approach: Box::new(approach) })
        };
        Ok(Self { simple: delegate(Route::Simple)?, complex: delegate(Route::Complex)? })
    }

    pub(super) async fn answer(&self, engine: &Arc<Engine>, question: &str) -> Result<Answered, ApproachError> {
        if let Some(webhook) = &engine.n8n {
            let reply = webhook.ask(question).await?;
            return Ok(Answered {
                answer: reply.answer,
                sources: reply.sources,
                chunks: reply.chunks,
                llm_calls: reply.llm_calls.saturating_add(CLASSIFIER_CALLS),
                cloud_calls: reply.cloud_calls,
                usage: None,
                metadata: metadata(&reply.route, &reply.approach, reply.delegated),
            });
        }
        let classified = engine.roles.classifier.classify(question).await?;
        let route = Route::read(&classified.text);
        let delegate = match route {
            Route::Simple => &self.simple,
            Route::Complex => &self.complex,
        };
        let answered = delegate.approach.answer(engine, question).await?;
        Ok(Answered {
            llm_calls: answered.llm_calls.saturating_add(CLASSIFIER_CALLS),
            usage: together(classified.usage, answered.usage),
            metadata: metadata(route.as_str(), &delegate.alias, answered.metadata),
            ..answered
        })
    }
}

/// What both providers reported; one that reports nothing, as built-in models do, adds nothing.
fn together(left: Option<Usage>, right: Option<Usage>) -> Option<Usage> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.and(right)),
        (left, right) => left.or(right),
    }
}

/// One key of our own; what the delegate adds is kept under it.
fn metadata(route: &str, approach: &str, delegated: Map<String, Value>) -> Map<String, Value> {
    let mut adaptive = Map::new();
    adaptive.insert("route".to_owned(), json!(route));
    adaptive.insert("approach".to_owned(), json!(approach));
    adaptive.extend(delegated.into_iter().filter(|(name, _)| !["route", "approach"].contains(&name.as_str())));
    Map::from_iter([("adaptive".to_owned(), Value::Object(adaptive))])
}
