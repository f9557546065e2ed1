//! One judgments file, read strictly, but as far as it goes.
//!
//! Reads the artifact of the judge panel (`contract/evaluation.md` section 5.5) and its older shapes (section 9); adds
//! rows. What has another shape is a problem of validation 9; the complexity report uses what could be read.

use super::super::shown;
use super::rows::Rows;
use super::{Place, text, text_or_null};
use crate::warehouse::Value as Cell;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

type Object = Map<String, Value>;

/// Adds what the judgments say.
pub fn read(rows: &mut Rows, place: Place, root: &Object) {
    let found = root.get("dataset_id").and_then(Value::as_str);
    rows.panel.push([text(place.dataset_id), text(place.tier), text_or_null(found)]);
    let judges = read_judges(rows, place, root);
    let Some(Value::Array(queries)) = root.get("queries") else {
        return rows.problem(place, 9, "queries", "`queries` is missing or no list".to_owned());
    };
    for (index, query) in queries.iter().enumerate() {
        match query {
            Value::Object(query) => Question::read(rows, place, index, query, &judges),
            _ => rows.problem(place, 9, &format!("queries[{index}]"), "is no map".to_owned()),
        }
    }
}

fn read_judges(rows: &mut Rows, place: Place, root: &Object) -> BTreeSet<String> {
    let mut judges = BTreeSet::new();
    let Some(Value::Array(listed)) = root.get("judges") else {
        rows.problem(place, 9, "judges", "`judges` is missing or no list".to_owned());
        return judges;
    };
    for judge in listed {
        match judge.as_str().filter(|judge| !judge.trim().is_empty()) {
            Some(judge) if judges.insert(judge.to_owned()) => {
                rows.panel_judge.push([text(place.dataset_id), text(place.tier), text(judge)]);
            }
            Some(judge) => rows.problem(place, 9, "judges", format!("judge `{judge}` is listed twice")),
            None => rows.problem(place, 9, "judges", format!("`{}` is no name of a judge", shown(judge))),
        }
    }
    judges
}

/// One entry of `queries`.
struct Question<'rows> {
    rows: &'rows mut Rows,
    place: Place<'rows>,
    position: Cell,
    /// How messages name it.
    name: String,
}

impl<'rows> Question<'rows> {
    fn read(rows: &'rows mut Rows, place: Place<'rows>, index: usize, query: &Object, judges: &BTreeSet<String>) {
        let id = query.get("query_id").filter(|id| !id.is_null()).map(shown).unwrap_or_default();
        let position = Cell::Integer(index as i64 + 1);
        let mut question = Question { rows, place, position, name: format!("question `{id}`") };
        let winner = question.winner(query);
        let asked = text_or_null(query.get("query").and_then(Value::as_str));
        let cells = [
            text(place.dataset_id),
            text(place.tier),
            question.position.clone(),
            Cell::Text(id),
            asked,
            winner.map_or(Cell::Null, Cell::Text),
        ];
        question.rows.panel_question.push(cells);
        question.means(query);
        question.verdicts(query, judges);
    }

    fn winner(&mut self, query: &Object) -> Option<String> {
        match query.get("observed_winner") {
            Some(Value::Null) => None,
            Some(Value::String(winner)) if !winner.is_empty() => Some(winner.clone()),
            Some(other) => {
                self.problem(format!("`observed_winner` is `{}`, expected a name or null", shown(other)));
                None
            }
            None => {
                self.problem("`observed_winner` is missing".to_owned());
                None
            }
        }
    }

    fn means(&mut self, query: &Object) {
        let Some(Value::Object(means)) = query.get("mean_by_approach") else {
            return self.problem("`mean_by_approach` is missing or no map".to_owned());
        };
        for (approach, mean) in means {
            match mean.as_f64() {
                Some(mean) => {
                    let [dataset, tier] = self.keys();
                    let cells = [dataset, tier, self.position.clone(), text(approach), Cell::Float(mean)];
                    self.rows.panel_mean.push(cells);
                }
                None => self.problem(format!("the mean of `{approach}` is `{}`, expected a number", shown(mean))),
            }
        }
    }

    fn verdicts(&mut self, query: &Object, judges: &BTreeSet<String>) {
        let Some(Value::Object(verdicts)) = query.get("per_judge") else {
            return self.problem("`per_judge` is missing or no map".to_owned());
        };
        for judge in judges.iter().filter(|judge| !verdicts.contains_key(*judge)) {
            self.problem(format!("the verdict of judge `{judge}` is missing"));
        }
        for judge in verdicts.keys().filter(|judge| !judges.contains(*judge)) {
            self.problem(format!("judge `{judge}` is unexpected"));
        }
        for (judge, verdict) in verdicts {
            self.verdict(judge, verdict);
        }
    }

    fn verdict(&mut self, judge: &str, verdict: &Value) {
        let [dataset, tier] = self.keys();
        match (verdict.get("error"), verdict.get("scores")) {
            (Some(error), _) if is_reason(error) => {
                let reason = Cell::Text(shown(error));
                self.rows.panel_failure.push([dataset, tier, self.position.clone(), text(judge), reason]);
            }
            (Some(error), _) => {
                self.problem(format!("the error of judge `{judge}` is `{}`, expected a reason", shown(error)));
            }
            (None, Some(Value::Object(scores))) => {
                for (approach, score) in scores {
                    let Some(score) = score.as_f64() else {
                        let found = shown(score);
                        self.problem(format!("judge `{judge}` scores `{approach}` `{found}`, expected a number"));
                        continue;
                    };
                    let [dataset, tier] = self.keys();
                    let position = self.position.clone();
                    self.rows.panel_score.push([
                        dataset,
                        tier,
                        position,
                        text(judge),
                        text(approach),
                        Cell::Float(score),
                    ]);
                }
                if scores.is_empty() {
                    self.problem(format!("judge `{judge}` scores nobody"));
                }
            }
            (None, _) => self.problem(format!("judge `{judge}` has neither scores nor an error")),
        }
    }

    fn keys(&self) -> [Cell; 2] {
        [text(self.place.dataset_id), text(self.place.tier)]
    }

    fn problem(&mut self, message: String) {
        let name = self.name.clone();
        self.rows.problem(self.place, 9, &name, message);
    }
}

/// Whether an `error` says anything: not null, not false, not zero, not empty.
fn is_reason(error: &Value) -> bool {
    match error {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}
