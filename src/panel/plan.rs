//! What a panel judges, and under which rules. Plain values; nothing here acts.

use super::input::Input;
use super::order::OrderRule;
use super::settings::Settings;
use super::verdict::CallSettings;
use std::time::Duration;

/// What to judge and how.
pub struct Plan {
    /// Questions and answers.
    pub input: Input,
    /// Who judges, where.
    pub settings: Settings,
    /// In which order answers are shown.
    pub order: OrderRule,
    /// Whether to plant answers of known worth in one more call for each question.
    pub with_canaries: bool,
    /// Whether to ask again where an earlier run heard a reply that scored nobody. Failed calls are always repeated.
    pub asks_unscored_again: bool,
    /// Bounds of the calls.
    pub limits: Limits,
}

impl Plan {
    /// What verdicts depend on beside the prompt.
    pub fn call_settings(&self) -> CallSettings {
        CallSettings {
            backend: self.settings.backend.to_owned(),
            endpoint: self.settings.endpoint.clone(),
            temperature: self.settings.temperature,
            thinking: self.settings.thinking,
        }
    }
}

/// Bounds of the calls.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Calls in flight to one judge, at least 1.
    pub concurrency: usize,
    /// Total deadline of one call. A gateway that asks for a longer wait than this is not asked again.
    pub timeout: Duration,
    /// The wait before a failed call is repeated, before jitter of half to one and a half.
    pub retry_wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { concurrency: 4, timeout: Duration::from_secs(200), retry_wait: Duration::from_millis(500) }
    }
}
