//! How `n8n-adaptive-rag` finds who answers: by class of question, or by asking a webhook.
//!
//! Sources: `contract/gateway.md` sections 0.7, 2.6 and 5.5. Plain values and one HTTP client; keeps nothing.

mod reply;
mod webhook;

pub use reply::N8nReply;
pub use webhook::N8nWebhook;

use super::config::AliasProfile;

/// The base that routes.
pub const BASE: &str = "n8n-adaptive-rag";

/// How routing is set up.
#[derive(Clone, Default)]
pub struct RoutingConfig {
    /// Who answers which class of question.
    pub routes: RouteMap,
    /// Answers in place of our own routing.
    pub webhook: Option<N8nWebhook>,
}

/// Which alias answers which class of question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteMap {
    /// The alias for simple questions.
    pub simple: String,
    /// The alias for complex ones.
    pub complex: String,
}

/// A class of question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// One look at the corpus will do.
    Simple,
    /// Several steps or sources have to be combined.
    Complex,
}

impl Default for RouteMap {
    fn default() -> Self {
        Self { simple: "vanilla-rag".to_owned(), complex: "agentic-rag".to_owned() }
    }
}

impl RouteMap {
    /// The alias that answers a class of question.
    pub fn alias(&self, route: Route) -> &str {
        match route {
            Route::Simple => &self.simple,
            Route::Complex => &self.complex,
        }
    }
}

impl RoutingConfig {
    /// The bases of the aliases that are routed to; none when no alias routes or a webhook does it.
    pub fn bases<'a>(&'a self, aliases: &'a [AliasProfile]) -> Vec<&'a str> {
        if self.webhook.is_some() || !aliases.iter().any(|alias| alias.base == BASE) {
            return Vec::new();
        }
        let base = |name: &'a str| {
            let alias = aliases.iter().find(|alias| alias.alias == name);
            alias.map_or(name, |alias| alias.base.as_str())
        };
        [Route::Simple, Route::Complex].map(|route| base(self.routes.alias(route))).to_vec()
    }
}

impl Route {
    /// Reads what a classifier said: complex when it says `complex` anywhere without a `not` before it, else simple.
    pub fn read(text: &str) -> Self {
        let text = text.to_lowercase();
        let said = text.match_indices("complex").any(|(at, _)| {
            let before = text[..at].trim_end_matches(|character: char| !character.is_alphanumeric());
            let word = before.rsplit(|character: char| !character.is_alphabetic() && !"'\u{2019}".contains(character));
            let denied =
                word.take(1).any(|word| word == "not" || word.ends_with("n't") || word.ends_with("n\u{2019}t"));
            !denied
        });
        if said { Self::Complex } else { Self::Simple }
    }

    /// Its name in the evidence.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Complex => "complex",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denied_complexity_is_simple() {
        for text in
            ["complex", "Complex.", "It is very complex", "uncomplexly", "not simple but complex", "knot complex"]
        {
            assert_eq!(Route::read(text), Route::Complex, "{text}");
        }
        for text in
            ["simple", "", "moderate", "It is NOT complex", "not *complex*", "It isn't complex", "not  complex!"]
        {
            assert_eq!(Route::read(text), Route::Simple, "{text}");
        }
    }

    #[test]
    fn targets_that_are_not_offered_are_bases_by_their_name() {
        let alias = |alias: &str, base: &str| AliasProfile {
            alias: alias.to_owned(),
            base: base.to_owned(),
            flavor: "default".to_owned(),
            params: Default::default(),
        };
        let routes = RouteMap { simple: "quick".to_owned(), complex: "agentic-rag".to_owned() };
        let routing = RoutingConfig { routes, webhook: None };
        let offered = [alias(BASE, BASE), alias("quick", "hybrid-rag")];
        assert_eq!(routing.bases(&offered), ["hybrid-rag", "agentic-rag"]);
        assert!(routing.bases(&offered[1..]).is_empty());
        let webhook = N8nWebhook::new("http://127.0.0.1:1/webhook").ok();
        assert!(RoutingConfig { webhook, ..routing }.bases(&offered).is_empty());
    }
}
