//! What is judged: questions with the answers shown to judges.
//!
//! Reads a compatibility matrix of any date (`contract/evaluation.md` sections 1.8 and 9) or canonical rows; writes
//! [`Input`]. Keeps no approach order: the order shown is decided elsewhere. Never reads sources or metrics.

use super::error::InputError;
use crate::wire::judging::NO_ANSWER;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};

/// Judges see this many code points of an answer.
pub const SHOWN_CHARACTERS: usize = 1200;

/// Everything a panel judges.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Input {
    /// Names the run; null in matrices of the first month.
    pub run_id: Option<String>,
    /// Null in matrices of the first month.
    pub dataset_id: Option<String>,
    /// Copied into the artifact when not empty.
    pub ingestion: Map<String, Value>,
    /// In file order, ids unique.
    pub questions: Vec<Question>,
}

/// One question and its answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The id as written.
    pub id: String,
    /// The question as asked.
    pub query: String,
    /// What a good answer needs; null leads to a generic line.
    pub need: Option<String>,
    /// Copied into the artifact as it is.
    pub expect_winner: Value,
    /// One for each approach, in order of first appearance; names unique.
    pub answers: Vec<Answer>,
}

/// One answer as judges see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The alias that answered.
    pub approach: String,
    /// The first [`SHOWN_CHARACTERS`] code points, or [`NO_ANSWER`].
    pub shown: String,
    /// Whether there was an answer.
    pub is_answered: bool,
}

impl Answer {
    /// Cuts an answer to what is shown; null or an empty text becomes the placeholder.
    pub fn new(approach: &str, text: Option<&str>) -> Self {
        let (shown, is_answered) = match text {
            Some(text) if !text.is_empty() => (text.chars().take(SHOWN_CHARACTERS).collect(), true),
            _ => (NO_ANSWER.to_owned(), false),
        };
        Self { approach: approach.to_owned(), shown, is_answered }
    }
}

impl Input {
    /// Reads a compatibility matrix.
    ///
    /// The last cell of a (question, approach) pair wins; cells of unknown questions are ignored; a cell that is not
    /// `ok`, or has no answer, shows the placeholder. A repeated question id is an error.
    pub fn from_matrix(matrix: &Value) -> Result<Self, InputError> {
        let mut questions = Questions::default();
        for (index, query) in list(matrix, "queries")?.iter().enumerate() {
            let place = format!("queries[{index}]");
            let question = Question {
                id: text(query, "id", &place)?,
                query: text(query, "query", &place)?,
                need: need(query.get("rationale")),
                expect_winner: query.get("expect_winner").cloned().unwrap_or(Value::Null),
                answers: Vec::new(),
            };
            questions.add(question)?;
        }
        for (index, cell) in list(matrix, "cells")?.iter().enumerate() {
            let place = format!("cells[{index}]");
            let (question, model) = (text(cell, "query_id", &place)?, text(cell, "model", &place)?);
            let is_ok = cell.get("ok") == Some(&Value::Bool(true));
            let answer = cell.get("answer").and_then(Value::as_str).filter(|_| is_ok);
            questions.answer(&question, Answer::new(&model, answer));
        }
        let words = |key: &str| matrix.get(key).and_then(Value::as_str).map(str::to_owned);
        Ok(Self {
            run_id: words("run_id"),
            dataset_id: words("dataset_id"),
            ingestion: matrix.get("ingestion").and_then(Value::as_object).cloned().unwrap_or_default(),
            questions: questions.list,
        })
    }

    /// Reads canonical rows of one dataset; with `dataset` the rows of others are left out.
    ///
    /// Questions come in order of their first row; the last row of a (question, approach) pair wins. Rows that give
    /// one question id two texts are an error.
    pub fn from_rows<'a>(rows: impl IntoIterator<Item = &'a Value>, dataset: Option<&str>) -> Result<Self, InputError> {
        let mut input = Self::default();
        let mut datasets = BTreeSet::new();
        let mut questions = Questions::default();
        for (index, row) in rows.into_iter().enumerate() {
            let place = format!("row {}", index + 1);
            let of = |key: &'static str| row.get(key).unwrap_or(&Value::Null);
            let dataset_id = text(of("dataset"), "id", &place)?;
            if dataset.is_some_and(|wanted| wanted != dataset_id) {
                continue;
            }
            datasets.insert(dataset_id);
            let asked = of("question");
            let id = text(asked, "id", &place)?;
            let query = text(asked, "query", &place)?;
            match questions.get(&id) {
                Some(known) if known.query != query => return Err(InputError::ConflictingQuestion { id }),
                Some(_) => {}
                None => questions.add(Question {
                    id: id.clone(),
                    query,
                    need: need(asked.get("rationale")),
                    expect_winner: asked.get("expect_winner").cloned().unwrap_or(Value::Null),
                    answers: Vec::new(),
                })?,
            }
            let is_ok = of("status") == "ok";
            let answer = row.pointer("/evidence/answer").and_then(Value::as_str).filter(|_| is_ok);
            questions.answer(&id, Answer::new(&text(of("approach"), "model", &place)?, answer));
            if input.run_id.is_none() {
                input.run_id = row.get("run_id").and_then(Value::as_str).map(str::to_owned);
            }
            if let Some(ingestion) = row.pointer("/reproducibility/ingestion").and_then(Value::as_object)
                && input.ingestion.is_empty()
            {
                input.ingestion = ingestion.clone();
            }
        }
        if datasets.len() > 1 {
            return Err(InputError::SeveralDatasets { datasets: datasets.into_iter().collect() });
        }
        input.dataset_id = datasets.into_iter().next();
        input.questions = questions.list;
        Ok(input)
    }
}

/// Questions with an index by id and by approach.
#[derive(Default)]
struct Questions {
    list: Vec<Question>,
    places: HashMap<String, usize>,
    answers: HashMap<(usize, String), usize>,
}

impl Questions {
    fn get(&self, id: &str) -> Option<&Question> {
        self.places.get(id).map(|place| &self.list[*place])
    }

    fn add(&mut self, question: Question) -> Result<(), InputError> {
        if self.places.insert(question.id.clone(), self.list.len()).is_some() {
            return Err(InputError::RepeatedQuestion { id: question.id });
        }
        self.list.push(question);
        Ok(())
    }

    fn answer(&mut self, id: &str, answer: Answer) {
        let Some(&place) = self.places.get(id) else { return };
        let answers = &mut self.list[place].answers;
        match self.answers.entry((place, answer.approach.clone())) {
            std::collections::hash_map::Entry::Occupied(known) => answers[*known.get()] = answer,
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(answers.len());
                answers.push(answer);
            }
        }
    }
}

fn list<'a>(document: &'a Value, key: &str) -> Result<&'a Vec<Value>, InputError> {
    let shape = || InputError::Shape { place: key.to_owned(), wanted: "a list" };
    document.get(key).and_then(Value::as_array).ok_or_else(shape)
}

fn text(entry: &Value, key: &str, place: &str) -> Result<String, InputError> {
    let shape = || InputError::Shape { place: format!("{place}.{key}"), wanted: "a text" };
    entry.get(key).and_then(Value::as_str).map(str::to_owned).ok_or_else(shape)
}

fn need(rationale: Option<&Value>) -> Option<String> {
    rationale.and_then(Value::as_str).filter(|text| !text.trim().is_empty()).map(str::to_owned)
}
