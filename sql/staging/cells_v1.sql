-- name: staging/cells_v1
-- purpose: Creates the view `cells`: what was asked, who answered, how it ended and what it cost.
-- grain: one canonical row
-- reads: store.cell, store.file
-- order: none
-- nulls: answers, costs and errors are null where the row has none
-- since: 0.1.0
create or replace view cells as
select
    cell.run_id,
    cell.dataset_id,
    cell.complexity_level,
    cell.question_id,
    cell.approach,
    cell.base_approach,
    cell.flavor,
    cell.status,
    cell.latency_ms,
    cell.attempts,
    cell.prompt_tokens,
    cell.completion_tokens,
    cell.total_tokens,
    cell.llm_calls,
    cell.chunks,
    cell.answer,
    cell.transport,
    cell.evidence_capability,
    cell.requires_reingest,
    cell.provider,
    cell.error_type,
    cell.error_message,
    cell.ragas_status,
    cell.evaluator_model,
    cell.embeddings_model,
    cell.judge_status,
    cell.seed,
    cell.schema_version,
    cell.runner_version,
    cell.dataset_label,
    cell.row_id,
    file.path as source_file,
    cell.line as source_line,
    coalesce(cell.contexts_missing, false) as contexts_missing
from store.cell as cell
inner join store.file as file on file.file_id = cell.file_id;

comment on view cells is 'One canonical row: what was asked, who answered, how it ended and what it cost.';
comment on column cells.run_id is 'Names the run.';
comment on column cells.dataset_id is 'The dataset asked about.';
comment on column cells.complexity_level is 'How relational the dataset is; 1 is the plainest.';
comment on column cells.question_id is 'The question, unique within its dataset.';
comment on column cells.approach is 'The alias that was called: an approach or one of its flavors.';
comment on column cells.base_approach is 'The approach behind the alias.';
comment on column cells.flavor is 'The flavor of the approach; `default` for the approach itself.';
comment on column cells.status is '`ok`, `error` or `timeout`.';
comment on column cells.latency_ms is 'Wall time over all attempts, waits included; milliseconds.';
comment on column cells.attempts is 'Calls made for this cell, 1 or more.';
comment on column cells.prompt_tokens is 'Tokens sent, as the gateway counted; null when it did not.';
comment on column cells.completion_tokens is 'Tokens generated, as the gateway counted; null when it did not.';
comment on column cells.total_tokens is 'Both, as the gateway counted; null when it did not.';
comment on column cells.llm_calls is 'Model calls behind the answer, as the gateway counted; null when it did not.';
comment on column cells.chunks is 'Chunks the gateway says it used; null when it did not say.';
comment on column cells.answer is 'The answer; empty on failed rows.';
comment on column cells.transport is '`structured` or `rendered`; null on failed rows.';
comment on column cells.evidence_capability is '`answer_only` or `answer_with_contexts`.';
comment on column cells.requires_reingest is 'Whether the flavor needs its own ingestion.';
comment on column cells.provider is 'What kind of gateway answered.';
comment on column cells.error_type is 'Why the cell failed, one word; null on `ok`.';
comment on column cells.error_message is 'Why the cell failed, in words; null on `ok`.';
comment on column cells.ragas_status is 'How scoring went as a whole: `ok`, `partial`, `not_evaluable`, `error`, `disabled` or `not_run`.';
comment on column cells.evaluator_model is 'The model that scored; null when nothing was scored.';
comment on column cells.embeddings_model is 'The embedding model used for scoring; null when nothing was scored.';
comment on column cells.judge_status is '`pending` or `disabled` at the time of the run; see `judge_scores` for verdicts.';
comment on column cells.seed is 'The seed of the run, as text.';
comment on column cells.schema_version is 'Version of the row''s shape.';
comment on column cells.runner_version is 'Version of the rules that made the row.';
comment on column cells.dataset_label is 'The name of the dataset as people read it.';
comment on column cells.row_id is 'Identity of the cell, 64 hex digits.';
comment on column cells.source_file is 'The evidence file the row was read from.';
comment on column cells.source_line is 'Its one-based line in that file.';
comment on column cells.contexts_missing is 'Whether the approach should show contexts and its service handed out none.';
