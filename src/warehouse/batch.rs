//! Typed rows as Arrow batches with an explicit schema.
//!
//! Reads [`CellRow`]s, returns record batches whose columns are those of the tables of `store`.

use super::facts::{Family, QuestionFacts};
use super::judgments::Judgments;
use super::reader::CellRow;
use super::verdicts::PanelVerdict;
use arrow::array::{ArrayRef, BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, RecordBatch, StringBuilder};
use arrow::error::ArrowError;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The rows of a stretch of a file, ready to be appended.
pub struct Batch {
    /// For `store.cell`.
    pub cells: RecordBatch,
    /// For `store.body`; nothing when whole rows are not kept.
    pub bodies: Option<RecordBatch>,
    /// For `store.score`.
    pub scores: RecordBatch,
    /// For `store.source_title`.
    pub titles: RecordBatch,
    /// Bytes of all of them, about.
    pub size_bytes: usize,
}

macro_rules! builders {
    ($name:ident { $($field:ident: $builder:ty),* $(,)? }) => {
        #[derive(Default)]
        struct $name { $($field: $builder),* }

        impl $name {
            /// Ends the batch: one array a field, in the order of the fields.
            fn finish(mut self) -> Result<RecordBatch, ArrowError> {
                RecordBatch::try_from_iter_with_nullable(vec![
                    $((stringify!($field), Arc::new(self.$field.finish()) as ArrayRef, true)),*
                ])
            }
        }
    };
}

builders!(Cells {
    file_id: Int32Builder,
    line: Int64Builder,
    row_id: StringBuilder,
    schema_version: Int64Builder,
    runner_version: Int64Builder,
    run_id: StringBuilder,
    dataset_id: StringBuilder,
    dataset_label: StringBuilder,
    complexity_level: Int64Builder,
    question_id: StringBuilder,
    query: StringBuilder,
    ground_truth: StringBuilder,
    rationale: StringBuilder,
    expect_winner: StringBuilder,
    approach: StringBuilder,
    base_approach: StringBuilder,
    flavor: StringBuilder,
    evidence_capability: StringBuilder,
    requires_reingest: BooleanBuilder,
    provider: StringBuilder,
    seed: StringBuilder,
    status: StringBuilder,
    latency_ms: Int64Builder,
    attempts: Int64Builder,
    prompt_tokens: Int64Builder,
    completion_tokens: Int64Builder,
    total_tokens: Int64Builder,
    llm_calls: Int64Builder,
    chunks: Int64Builder,
    answer: StringBuilder,
    transport: StringBuilder,
    error_type: StringBuilder,
    error_message: StringBuilder,
    ragas_status: StringBuilder,
    ragas_error_type: StringBuilder,
    evaluator_model: StringBuilder,
    embeddings_model: StringBuilder,
    judge_status: StringBuilder,
    contexts_missing: BooleanBuilder,
});

builders!(Bodies { file_id: Int32Builder, line: Int64Builder, row_id: StringBuilder, body: StringBuilder });

builders!(Scores {
    file_id: Int32Builder,
    line: Int64Builder,
    metric: StringBuilder,
    requested: BooleanBuilder,
    score_kind: StringBuilder,
    score: Float64Builder,
    not_evaluable_reason: StringBuilder,
    metric_error: StringBuilder,
});

builders!(Titles {
    file_id: Int32Builder,
    line: Int64Builder,
    row_id: StringBuilder,
    position: Int64Builder,
    title: StringBuilder,
    snippet_start: StringBuilder,
    snippet_chars: Int64Builder,
    score: Float64Builder,
});

/// Collects rows until the batch is ended.
pub struct BatchBuilder {
    file_id: i32,
    keeps_text: bool,
    cells: Cells,
    bodies: Bodies,
    scores: Scores,
    titles: Titles,
}

impl BatchBuilder {
    /// Begins a batch of one file; without `keeps_text`, answers and whole rows are left out.
    pub fn new(file_id: i32, keeps_text: bool) -> Self {
        Self {
            file_id,
            keeps_text,
            cells: Cells::default(),
            bodies: Bodies::default(),
            scores: Scores::default(),
            titles: Titles::default(),
        }
    }

    /// Adds one row with its one-based line and its text.
    pub fn add(&mut self, line: i64, text: &str, row: &CellRow) {
        let cells = &mut self.cells;
        cells.file_id.append_value(self.file_id);
        cells.line.append_value(line);
        cells.row_id.append_value(&row.row_id);
        cells.schema_version.append_option(row.schema_version);
        cells.runner_version.append_option(row.runner_version);
        cells.run_id.append_value(&row.run_id);
        cells.dataset_id.append_value(&row.dataset_id);
        cells.dataset_label.append_option(row.dataset_label.as_ref());
        cells.complexity_level.append_value(row.complexity_level);
        cells.question_id.append_value(&row.question_id);
        cells.query.append_option(row.query.as_ref());
        cells.ground_truth.append_option(row.ground_truth.as_ref());
        cells.rationale.append_option(row.rationale.as_ref());
        cells.expect_winner.append_option(row.expect_winner.as_ref());
        cells.approach.append_value(&row.approach);
        cells.base_approach.append_option(row.base_approach.as_ref());
        cells.flavor.append_option(row.flavor.as_ref());
        cells.evidence_capability.append_option(row.evidence_capability.as_ref());
        cells.requires_reingest.append_option(row.requires_reingest);
        cells.provider.append_option(row.provider.as_ref());
        cells.seed.append_option(row.seed.as_ref());
        cells.status.append_value(&row.status);
        cells.latency_ms.append_option(row.latency_ms);
        cells.attempts.append_option(row.attempts);
        cells.prompt_tokens.append_option(row.prompt_tokens);
        cells.completion_tokens.append_option(row.completion_tokens);
        cells.total_tokens.append_option(row.total_tokens);
        cells.llm_calls.append_option(row.llm_calls);
        cells.chunks.append_option(row.chunks);
        cells.answer.append_option(row.answer.as_ref().filter(|_| self.keeps_text));
        cells.transport.append_option(row.transport.as_ref());
        cells.error_type.append_option(row.error_type.as_ref());
        cells.error_message.append_option(row.error_message.as_ref());
        cells.ragas_status.append_option(row.ragas_status.as_ref());
        cells.ragas_error_type.append_option(row.ragas_error_type.as_ref());
        cells.evaluator_model.append_option(row.evaluator_model.as_ref());
        cells.embeddings_model.append_option(row.embeddings_model.as_ref());
        cells.judge_status.append_option(row.judge_status.as_ref());
        cells.contexts_missing.append_value(row.contexts_missing);
        if self.keeps_text {
            self.bodies.file_id.append_value(self.file_id);
            self.bodies.line.append_value(line);
            self.bodies.row_id.append_value(&row.row_id);
            self.bodies.body.append_value(text);
        }
        for (position, source) in (1..).zip(&row.sources) {
            self.titles.file_id.append_value(self.file_id);
            self.titles.line.append_value(line);
            self.titles.row_id.append_value(&row.row_id);
            self.titles.position.append_value(position);
            self.titles.title.append_value(&source.title);
            self.titles.snippet_start.append_option(source.snippet_start.as_ref().filter(|_| self.keeps_text));
            self.titles.snippet_chars.append_option(source.snippet_chars);
            self.titles.score.append_option(source.score);
        }
        for entry in &row.scores {
            self.scores.file_id.append_value(self.file_id);
            self.scores.line.append_value(line);
            self.scores.metric.append_value(&entry.metric);
            self.scores.requested.append_value(entry.requested);
            self.scores.score_kind.append_value(entry.score_kind);
            self.scores.score.append_option(entry.score);
            self.scores.not_evaluable_reason.append_option(entry.not_evaluable_reason.as_ref());
            self.scores.metric_error.append_option(entry.metric_error.as_ref());
        }
    }

    /// Ends the batch.
    pub fn finish(self) -> Result<Batch, ArrowError> {
        let cells = self.cells.finish()?;
        let bodies = if self.keeps_text { Some(self.bodies.finish()?) } else { None };
        let scores = self.scores.finish()?;
        let titles = self.titles.finish()?;
        let parts = [Some(&cells), bodies.as_ref(), Some(&scores), Some(&titles)];
        let size_bytes = parts.into_iter().flatten().map(RecordBatch::get_array_memory_size).sum();
        Ok(Batch { cells, bodies, scores, titles, size_bytes })
    }
}

builders!(Means {
    file_id: Int32Builder,
    position: Int32Builder,
    question_id: StringBuilder,
    approach: StringBuilder,
    mean: Float64Builder,
});

builders!(Verdicts {
    file_id: Int32Builder,
    position: Int32Builder,
    question_id: StringBuilder,
    judge: StringBuilder,
    approach: StringBuilder,
    score: Float64Builder,
    is_best: BooleanBuilder,
    state: StringBuilder,
    reason: StringBuilder,
});

/// The means and verdicts of a judgments file, for `store.judge_mean` and `store.judge_verdict`.
pub fn judgments(file_id: i32, judgments: &Judgments) -> Result<(RecordBatch, RecordBatch), ArrowError> {
    let (mut means, mut verdicts) = (Means::default(), Verdicts::default());
    for (position, (question_id, approach, mean)) in (1..).zip(&judgments.means) {
        means.file_id.append_value(file_id);
        means.position.append_value(position);
        means.question_id.append_value(question_id);
        means.approach.append_value(approach);
        means.mean.append_value(*mean);
    }
    for (position, verdict) in (1..).zip(&judgments.verdicts) {
        verdicts.file_id.append_value(file_id);
        verdicts.position.append_value(position);
        verdicts.question_id.append_value(&verdict.question_id);
        verdicts.judge.append_value(&verdict.judge);
        verdicts.approach.append_option(verdict.approach.as_ref());
        verdicts.score.append_option(verdict.score);
        verdicts.is_best.append_option(verdict.is_best);
        verdicts.state.append_value(verdict.state);
        verdicts.reason.append_option(verdict.reason.as_ref());
    }
    Ok((means.finish()?, verdicts.finish()?))
}

builders!(Facts {
    dataset_id: StringBuilder,
    question_id: StringBuilder,
    kind: StringBuilder,
    topic: StringBuilder,
    corpus: StringBuilder,
    has_relevance: BooleanBuilder,
});

builders!(Documents { dataset_id: StringBuilder, question_id: StringBuilder, document: StringBuilder });

/// What is known of questions, for `store.question_fact` and `store.relevant_document`.
pub fn question_facts(
    dataset_id: &str,
    corpus: &str,
    questions: &[QuestionFacts],
) -> Result<(RecordBatch, RecordBatch), ArrowError> {
    let (mut facts, mut documents) = (Facts::default(), Documents::default());
    for question in questions {
        facts.dataset_id.append_value(dataset_id);
        facts.question_id.append_value(&question.question_id);
        facts.kind.append_option(question.kind.as_ref());
        facts.topic.append_option(question.topic.as_ref());
        facts.corpus.append_value(corpus);
        facts.has_relevance.append_value(question.relevant_sources.is_some());
        let relevant: BTreeSet<&String> = question.relevant_sources.iter().flatten().collect();
        for document in relevant {
            documents.dataset_id.append_value(dataset_id);
            documents.question_id.append_value(&question.question_id);
            documents.document.append_value(document);
        }
    }
    Ok((facts.finish()?, documents.finish()?))
}

builders!(Families { subject: StringBuilder, name: StringBuilder, family: StringBuilder });

/// Declared families, for `store.family`.
pub fn families(declared: &[Family]) -> Result<RecordBatch, ArrowError> {
    let mut families = Families::default();
    for family in declared {
        families.subject.append_value(family.subject.as_str());
        families.name.append_value(&family.name);
        families.family.append_value(&family.family);
    }
    families.finish()
}

builders!(PanelLines {
    file_id: Int32Builder,
    line: Int64Builder,
    run_id: StringBuilder,
    dataset_id: StringBuilder,
    question_id: StringBuilder,
    judge: StringBuilder,
    direction: StringBuilder,
    order_rule: StringBuilder,
    order_seed: StringBuilder,
    state: StringBuilder,
    reason: StringBuilder,
    detail: StringBuilder,
    parse: StringBuilder,
    best: StringBuilder,
    remark: StringBuilder,
    attempts_n: Int64Builder,
    latency_ms: Int64Builder,
});

builders!(PanelAnswers {
    file_id: Int32Builder,
    line: Int64Builder,
    position: Int32Builder,
    label: StringBuilder,
    approach: StringBuilder,
    score: Float64Builder,
    reason: StringBuilder,
});

/// The lines of a sidecar, for `store.panel_verdict` and `store.panel_score`.
pub fn panel(file_id: i32, verdicts: &[PanelVerdict]) -> Result<(RecordBatch, RecordBatch), ArrowError> {
    let (mut lines, mut answers) = (PanelLines::default(), PanelAnswers::default());
    for verdict in verdicts {
        lines.file_id.append_value(file_id);
        lines.line.append_value(verdict.line);
        lines.run_id.append_option(verdict.run_id.as_ref());
        lines.dataset_id.append_option(verdict.dataset_id.as_ref());
        lines.question_id.append_value(&verdict.question_id);
        lines.judge.append_value(&verdict.judge);
        lines.direction.append_value(&verdict.direction);
        lines.order_rule.append_value(&verdict.order_rule);
        lines.order_seed.append_option(verdict.order_seed.as_ref());
        lines.state.append_value(&verdict.state);
        lines.reason.append_option(verdict.reason.as_ref());
        lines.detail.append_value(&verdict.detail);
        lines.parse.append_option(verdict.parse.as_ref());
        lines.best.append_option(verdict.best.as_ref());
        lines.remark.append_option(verdict.remark.as_ref());
        lines.attempts_n.append_value(verdict.attempts_n);
        lines.latency_ms.append_value(verdict.latency_ms);
        for (position, answer) in (1..).zip(&verdict.answers) {
            answers.file_id.append_value(file_id);
            answers.line.append_value(verdict.line);
            answers.position.append_value(position);
            answers.label.append_value(&answer.label);
            answers.approach.append_value(&answer.approach);
            answers.score.append_option(answer.score);
            answers.reason.append_option(answer.reason.as_ref());
        }
    }
    Ok((lines.finish()?, answers.finish()?))
}
