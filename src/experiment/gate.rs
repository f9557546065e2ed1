//! The `gate` section of `compare/evaluation.yaml`: what a candidate run has to hold.
//!
//! Reads nodes of the manifest; writes problems. Knows no metric: which there are, and their ranges, is for the warehouse to
//! say, and [`Gate::problems_with`] holds the checks against it.

use super::document::{Document, Entry, Node, Source};
use super::fields::{Check, Fields, NumberRange};
use super::problem::{Place, Problems, correction, quoted};
use serde_json::{Value, json};

/// The instrument marks that may be allowed to differ between two runs.
pub const MARKS: [&str; 6] = ["questions", "judges", "evaluator", "embedding", "metric_version", "scorer"];

/// A gate as the manifest declares it (statistics contract, section 8).
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// The run that candidates are held against; null leaves it to the command line.
    pub baseline: Option<String>,
    /// Level of each one-sided limit, above 0 and at most 0.5.
    pub alpha: f64,
    /// Least share of eligible questions with a score, in both runs where a rule compares them; 0..=1.
    pub coverage_floor: f64,
    /// Evaluations of different scores that are declared in advance; they share the level. Null declares nothing.
    pub looks_max: Option<u32>,
    /// Whether the level of failing is divided by the number of tests.
    pub is_fail_corrected: bool,
    /// Instrument marks that may differ, out of [`MARKS`].
    pub may_differ: Vec<String>,
    /// One at least.
    pub checks: Vec<GateCheck>,
    source: Source,
}

/// What one metric has to hold.
#[derive(Debug, Clone, PartialEq)]
pub struct GateCheck {
    /// How reports call it; the metric when nothing else was said.
    pub name: String,
    /// A metric with a card.
    pub metric: String,
    /// False shows the check and lets it decide nothing.
    pub is_required: bool,
    /// Whether `min_mean` and `max_mean` look at the mean alone, without a limit.
    pub is_point: bool,
    /// Null takes every approach of the runs.
    pub approaches: Option<Vec<String>>,
    /// Null takes every dataset of the runs.
    pub datasets: Option<Vec<String>>,
    /// One at least.
    pub rules: Vec<Rule>,
    metric_place: Place,
}

/// One thing to hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// What it is.
    pub kind: RuleKind,
    /// The number it is held against; 0 where the rule has none.
    pub value: f64,
    place: Place,
}

/// The things a check can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// Share of scored questions.
    MinCoverage,
    /// Share of scored questions below the baseline's.
    CoverageDropMax,
    /// The mean, where higher is better.
    MinMean,
    /// The mean, where lower is better.
    MaxMean,
    /// How much worse than the baseline is still acceptable.
    Margin,
    /// The same in the worst case of the missing scores; a note.
    Robust,
    /// Whether it is better than the baseline at all.
    BetterThanBaseline,
}

impl RuleKind {
    /// The numbers a check may give, with their ranges. All but the margin may be 0.
    const NUMBERS: [(&str, Self, NumberRange); 5] = [
        ("min_coverage", Self::MinCoverage, SHARE),
        ("coverage_drop_max", Self::CoverageDropMax, SHARE),
        ("min_mean", Self::MinMean, NumberRange { min: -1e12, above: false, max: 1e12 }),
        ("max_mean", Self::MaxMean, NumberRange { min: -1e12, above: false, max: 1e12 }),
        ("margin", Self::Margin, NumberRange { min: 0.0, above: true, max: 1e12 }),
    ];

    /// The word in the manifest and in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MinCoverage => "min_coverage",
            Self::CoverageDropMax => "coverage_drop_max",
            Self::MinMean => "min_mean",
            Self::MaxMean => "max_mean",
            Self::Margin => "margin",
            Self::Robust => "robust",
            Self::BetterThanBaseline => "better_than_baseline",
        }
    }
}

const SHARE: NumberRange = NumberRange { min: 0.0, above: false, max: 1.0 };

/// What is known of one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricCard {
    /// The metric.
    pub metric: String,
    /// Its lowest value.
    pub low: f64,
    /// Its highest value; null without a limit.
    pub high: Option<f64>,
    /// Whether lower values are better.
    pub is_lower_better: bool,
}

impl Gate {
    /// The rules one by one, as `reports/gate` takes them: numbered in the order of the file.
    pub fn rules_json(&self) -> Value {
        let rules = self.checks.iter().flat_map(|check| check.rules.iter().map(move |rule| (check, rule)));
        let one = |(number, (check, rule)): (usize, (&GateCheck, &Rule))| {
            json!({
                "number": number,
                "name": check.name,
                "rule": rule.kind.as_str(),
                "metric": check.metric,
                "value": rule.value,
                "is_point": check.is_point,
                "has_coverage_rule": check.rules.iter().any(|rule| rule.kind == RuleKind::MinCoverage),
                "is_required": check.is_required,
                "approaches": check.approaches,
                "datasets": check.datasets,
            })
        };
        (1..).zip(rules).map(one).collect()
    }

    /// Whether a check compares the candidate with a baseline.
    pub fn needs_baseline(&self) -> bool {
        use RuleKind::{BetterThanBaseline, CoverageDropMax, Margin, Robust};
        let kinds = [BetterThanBaseline, CoverageDropMax, Margin, Robust];
        self.checks.iter().flat_map(|check| &check.rules).any(|rule| kinds.contains(&rule.kind))
    }

    /// What is wrong with the checks when these are the metrics there are; nothing when all is well.
    pub fn problems_with(&self, cards: &[MetricCard]) -> Problems {
        let mut problems = Problems::default();
        let names: Vec<&str> = cards.iter().map(|card| card.metric.as_str()).collect();
        for check in &self.checks {
            let Some(card) = cards.iter().find(|card| card.metric == check.metric) else {
                let message = format!("unknown metric {}", quoted(&check.metric));
                let problem = self.source.problem(check.metric_place, message);
                problems.add(problem.suggest(correction(&check.metric, &names)));
                continue;
            };
            for rule in &check.rules {
                if let Some(message) = misfit(rule, card) {
                    problems.add(self.source.problem(rule.place, message));
                }
            }
        }
        problems
    }
}

/// Why a rule makes no sense for a metric.
fn misfit(rule: &Rule, card: &MetricCard) -> Option<String> {
    let metric = quoted(&card.metric);
    match rule.kind {
        RuleKind::MinMean if card.is_lower_better => Some(format!("lower is better for {metric}: give `max_mean`")),
        RuleKind::MaxMean if !card.is_lower_better => Some(format!("higher is better for {metric}: give `min_mean`")),
        RuleKind::MinMean | RuleKind::MaxMean => {
            let fits = rule.value >= card.low && card.high.is_none_or(|high| rule.value <= high);
            let range = match card.high {
                Some(high) => format!("from {} to {high}", card.low),
                None => format!("{} or more", card.low),
            };
            (!fits).then(|| format!("{metric} is {range}, never {}", rule.value))
        }
        RuleKind::Margin => card.high.filter(|high| rule.value >= high - card.low).map(|high| {
            format!("a margin of {} lets everything pass: {metric} is from {} to {high}", rule.value, card.low)
        }),
        _ => None,
    }
}

/// Checks the section.
pub(super) fn load(check: &mut Check, entry: &Entry, document: &Document) -> Option<Gate> {
    let known = ["baseline", "alpha", "coverage_floor", "looks_max", "fail_correction", "may_differ", "checks"];
    let fields = Fields::open(&entry.node, "gate", &known, check)?;
    let level = NumberRange { min: 0.0, above: true, max: 0.5 };
    let marks = MARKS.map(|mark| (mark, mark));
    let baseline = fields.optional("baseline", None, check, |c, n, k| c.identifier(n, k).map(Some));
    let alpha = fields.optional("alpha", 0.05, check, |c, n, k| c.number(n, k, level));
    let coverage_floor = fields.optional("coverage_floor", 0.8, check, |c, n, k| c.number(n, k, SHARE));
    let looks_max = fields.optional("looks_max", None, check, |c, n, k| c.integer(n, k, 1..=1000).map(Some));
    let is_fail_corrected = fields
        .optional("fail_correction", false, check, |c, n, k| c.choice(n, k, &[("none", false), ("bonferroni", true)]));
    let may_differ = fields.optional("may_differ", Vec::new(), check, |check, node, name| {
        let nodes = check.list(node, name)?;
        Some(nodes.iter().filter_map(|node| check.choice(node, "a mark", &marks)).map(str::to_owned).collect())
    });
    let checks = fields.required("checks", check, |check, node, name| {
        let nodes = check.list(node, name)?;
        if nodes.is_empty() {
            check.refuse(node.place, "`checks` must hold one check at least: a gate without any cannot decide", None);
        }
        Some(nodes.iter().filter_map(|node| one_check(check, node)).collect())
    });
    Some(Gate {
        baseline: baseline?,
        alpha: alpha?,
        coverage_floor: coverage_floor?,
        looks_max: looks_max?.map(u32::try_from).transpose().ok()?,
        is_fail_corrected: is_fail_corrected?,
        may_differ: may_differ?,
        checks: checks?,
        source: document.source.clone(),
    })
}

fn one_check(check: &mut Check, node: &Node) -> Option<GateCheck> {
    let known = [
        "name",
        "metric",
        "approaches",
        "datasets",
        "min_coverage",
        "coverage_drop_max",
        "min_mean",
        "max_mean",
        "evidence",
        "margin",
        "robust",
        "better_than_baseline",
        "advisory",
    ];
    let fields = Fields::open(node, "check", &known, check)?;
    let metric = fields.required("metric", check, Check::text);
    let name = fields.optional("name", None, check, |c, n, k| c.text(n, k).map(Some));
    let approaches = fields.optional("approaches", None, check, |c, n, k| names(c, n, k).map(Some));
    let datasets = fields.optional("datasets", None, check, |c, n, k| names(c, n, k).map(Some));
    let is_advisory = fields.optional("advisory", false, check, Check::switch);
    let is_point =
        fields.optional("evidence", false, check, |c, n, k| c.choice(n, k, &[("interval", false), ("mean", true)]));
    let rules = rules(check, node, &fields)?;
    let has = |kind: RuleKind| rules.iter().any(|rule| rule.kind == kind);
    if let Some(entry) = fields.entry("evidence").filter(|_| !has(RuleKind::MinMean) && !has(RuleKind::MaxMean)) {
        check.refuse(
            entry.place,
            "`evidence` says how a mean is judged, and there is no `min_mean` or `max_mean`",
            None,
        );
    }
    let metric = metric?;
    Some(GateCheck {
        name: name?.unwrap_or_else(|| metric.clone()),
        metric_place: fields.entry("metric").map_or(node.place, |entry| entry.node.place),
        metric,
        is_required: !is_advisory?,
        is_point: is_point?,
        approaches: approaches?,
        datasets: datasets?,
        rules,
    })
}

/// The rules of a check in a fixed order, coverage first; a check without any is refused.
fn rules(check: &mut Check, node: &Node, fields: &Fields) -> Option<Vec<Rule>> {
    let mut rules = Vec::new();
    let mut is_whole = true;
    for (key, kind, range) in RuleKind::NUMBERS {
        let Some(entry) = fields.entry(key) else { continue };
        match check.number(&entry.node, &quoted(key), range) {
            Some(value) => rules.push(Rule { kind, value, place: entry.node.place }),
            None => is_whole = false,
        }
    }
    let margin = rules.iter().find(|rule| rule.kind == RuleKind::Margin).map(|rule| rule.value);
    for kind in [RuleKind::Robust, RuleKind::BetterThanBaseline] {
        let Some(entry) = fields.entry(kind.as_str()) else { continue };
        let is_wanted = check.switch(&entry.node, &quoted(kind.as_str()));
        is_whole &= is_wanted.is_some();
        if is_wanted != Some(true) {
            continue;
        }
        if kind == RuleKind::Robust && margin.is_none() {
            if fields.entry("margin").is_none() {
                check.refuse(entry.place, "`robust` needs a `margin`", None);
            }
            is_whole = false;
            continue;
        }
        let value = if kind == RuleKind::Robust { margin.unwrap_or_default() } else { 0.0 };
        rules.push(Rule { kind, value, place: entry.node.place });
    }
    if rules.is_empty() && is_whole {
        let message = "the check holds nothing; there is no margin by default";
        let suggestion = "give `margin`, `min_mean`, `max_mean`, `min_coverage`, `coverage_drop_max` or \
                          `better_than_baseline`";
        check.refuse(node.place, message, suggestion.to_owned());
    }
    (is_whole && !rules.is_empty()).then_some(rules)
}

/// A list of ids, one at least.
fn names(check: &mut Check, node: &Node, name: &str) -> Option<Vec<String>> {
    let nodes = check.list(node, name)?;
    if nodes.is_empty() {
        check.refuse(node.place, format!("{name} must name one at least; leave it out for all"), None);
        return None;
    }
    nodes.iter().map(|node| check.identifier(node, "a name")).collect()
}
