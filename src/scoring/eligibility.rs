//! Which metrics an answer can be scored on, decided before any call. Pure.

use crate::wire::text::trim;

/// Reason code: the metric needs retrieved contexts.
pub const NO_CONTEXTS: &str = "retrieved_contexts_required";
/// Reason code: the metric needs retrieved contexts, and the service hands out none.
pub const CONTEXTS_MISSING: &str = "contexts_missing";
/// Reason code: the metric needs a reference answer.
pub const NO_GROUND_TRUTH: &str = "ground_truth_required";

/// The requested metrics, sorted into those to ask for and those that cannot be measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Eligibility {
    /// Without repeats, in the order asked for.
    pub requested: Vec<String>,
    /// To be sent, in order.
    pub eligible: Vec<String>,
    /// `(metric, reason code)`, in order.
    pub ineligible: Vec<(String, &'static str)>,
}

/// Sorts `metrics` for one answer; `without_contexts` is the reason of those that lack contexts.
///
/// A list of nothing but blank texts holds no context: an evaluator that is given blanks improvises a score. A null
/// or empty reference counts as none. Missing contexts are named before a missing reference. The answer's own text is
/// not looked at. Source: `contract/evaluation.md` section 4.1.
pub fn eligibility(
    metrics: &[String],
    contexts: &[String],
    without_contexts: &'static str,
    ground_truth: Option<&str>,
) -> Eligibility {
    let has_contexts = contexts.iter().any(|context| !trim(context).is_empty());
    let has_ground_truth = ground_truth.is_some_and(|text| !text.is_empty());
    let mut sorted = Eligibility { requested: Vec::new(), eligible: Vec::new(), ineligible: Vec::new() };
    for metric in metrics {
        if sorted.requested.contains(metric) {
            continue;
        }
        sorted.requested.push(metric.clone());
        let (needs_contexts, needs_ground_truth) = needs(metric);
        if needs_contexts && !has_contexts {
            sorted.ineligible.push((metric.clone(), without_contexts));
        } else if needs_ground_truth && !has_ground_truth {
            sorted.ineligible.push((metric.clone(), NO_GROUND_TRUTH));
        } else {
            sorted.eligible.push(metric.clone());
        }
    }
    sorted
}

/// `(contexts, ground truth)` that a metric needs.
fn needs(metric: &str) -> (bool, bool) {
    match metric {
        "faithfulness" => (true, false),
        "context_precision" | "context_recall" => (true, true),
        _ => (false, false),
    }
}
