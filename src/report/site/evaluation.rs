//! One evaluation snapshot, read strictly.
//!
//! Reads the JSON that `summarize` writes (`contract/evaluation.md` section 6); adds rows. What is missing or of another
//! type is a problem of the validation it belongs to (section 7.1, steps 7, 8 and 10); sums are left to the checks.

use super::super::shown;
use super::rows::Rows;
use super::{Place, text};
use crate::warehouse::Value as Cell;
use serde_json::{Map, Value};

/// Metrics that every approach of a snapshot must have.
const METRICS: [&str; 2] = ["answer_relevancy", "faithfulness"];

type Object = Map<String, Value>;

/// Adds what the snapshot says about its dataset.
pub fn read(rows: &mut Rows, place: Place, root: &Object) {
    let Some(Value::Object(datasets)) = root.get("datasets") else {
        return rows.problem(place, 7, "datasets", "`datasets` is missing or no map".to_owned());
    };
    for id in datasets.keys() {
        rows.evaluation_dataset.push([text(place.dataset_id), text(place.tier), text(id)]);
    }
    let Some(dataset) = datasets.get(place.dataset_id) else { return };
    match dataset.get("approaches") {
        Some(Value::Object(approaches)) if !approaches.is_empty() => {
            for (approach, shape) in approaches {
                match shape {
                    Value::Object(shape) => read_approach(rows, place, approach, shape),
                    _ => rows.problem(place, 8, approach, "is no map".to_owned()),
                }
            }
        }
        Some(Value::Object(_)) => rows.problem(place, 7, "approaches", "`approaches` is empty".to_owned()),
        _ => rows.problem(place, 7, "approaches", "`approaches` is missing or no map".to_owned()),
    }
}

fn read_approach(rows: &mut Rows, place: Place, approach: &str, shape: &Object) {
    let mut judges = Block::open(rows, place, 10, shape, approach, "judge_panel");
    let judge_cells = [judges.number("mean"), judges.count("evaluated"), judges.count("total"), judges.ratio()];
    let mut operational = Block::open(rows, place, 8, shape, approach, "operational");
    let counts = ["attempted", "successful", "errors", "timeouts"].map(|name| operational.count(name));
    let latency = operational.number("mean_latency_ms");
    let error_rate = operational.number("error_rate");
    let [mean, evaluated, total, coverage] = judge_cells;
    let [attempted, successful, errors, timeouts] = counts;
    rows.evaluation_approach.push([
        text(place.dataset_id),
        text(place.tier),
        text(approach),
        mean,
        evaluated,
        total,
        coverage,
        attempted,
        successful,
        errors,
        timeouts,
        latency,
        error_rate,
    ]);
    let Some(Value::Object(metrics)) = shape.get("ragas") else {
        return rows.problem(place, 8, approach, "`ragas` is missing or no map".to_owned());
    };
    for metric in METRICS {
        let mut block = Block::open(rows, place, 8, metrics, approach, metric);
        let mean = block.number("mean");
        let counts = ["evaluated", "total", "not_evaluable", "errors", "timeouts"].map(|name| block.count(name));
        let coverage = block.ratio();
        let [evaluated, total, not_evaluable, errors, timeouts] = counts;
        rows.evaluation_metric.push([
            text(place.dataset_id),
            text(place.tier),
            text(approach),
            text(metric),
            mean,
            evaluated,
            total,
            not_evaluable,
            errors,
            timeouts,
            coverage,
        ]);
    }
}

/// One map of an approach whose fields are read one by one.
struct Block<'rows, 'shape> {
    rows: &'rows mut Rows,
    place: Place<'rows>,
    step: i64,
    at: String,
    fields: Option<&'shape Object>,
}

impl<'rows, 'shape> Block<'rows, 'shape> {
    fn open(
        rows: &'rows mut Rows,
        place: Place<'rows>,
        step: i64,
        shape: &'shape Object,
        approach: &str,
        name: &str,
    ) -> Self {
        let fields = shape.get(name).and_then(Value::as_object);
        let at = format!("{approach}.{name}");
        if fields.is_none() {
            rows.problem(place, step, &at, format!("`{name}` is missing or no map"));
        }
        Self { rows, place, step, at, fields }
    }

    /// A finite number, or null where null is allowed.
    fn number(&mut self, name: &str) -> Cell {
        match self.fields.map(|fields| fields.get(name)) {
            None | Some(Some(Value::Null)) => Cell::Null,
            Some(Some(Value::Number(number))) if number.as_f64().is_some_and(f64::is_finite) => {
                number.as_f64().map_or(Cell::Null, Cell::Float)
            }
            Some(found) => self.wrong(name, found, "a number or null"),
        }
    }

    /// The number `coverage`, which is never null.
    fn ratio(&mut self) -> Cell {
        match self.fields.map(|fields| fields.get("coverage")) {
            Some(Some(Value::Null)) => self.wrong("coverage", Some(&Value::Null), "a number"),
            _ => self.number("coverage"),
        }
    }

    /// An integer of 0 or more.
    fn count(&mut self, name: &str) -> Cell {
        match self.fields.map(|fields| fields.get(name)) {
            None => Cell::Null,
            Some(Some(Value::Number(number))) if number.as_i64().is_some_and(|count| count >= 0) => {
                number.as_i64().map_or(Cell::Null, Cell::Integer)
            }
            Some(found) => self.wrong(name, found, "an integer of 0 or more"),
        }
    }

    fn wrong(&mut self, name: &str, found: Option<&Value>, expected: &str) -> Cell {
        let message = match found {
            None => format!("`{name}` is missing"),
            Some(value) => format!("`{name}` is `{}`, expected {expected}", shown(value)),
        };
        self.rows.problem(self.place, self.step, &self.at, message);
        Cell::Null
    }
}
