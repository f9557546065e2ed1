-- name: staging/verdicts_v1
-- purpose: Creates the view `verdicts`: every call of a judge as its sidecar tells it, the failed ones included.
-- grain: source_file, source_line
-- reads: store.panel_verdict, store.file
-- order: none
-- nulls: run and dataset are null for matrices without them; reason is null when answers were scored
-- since: 0.1.0
create or replace view verdicts as
select
    verdict.run_id,
    verdict.dataset_id,
    verdict.question_id,
    verdict.judge,
    verdict.direction,
    verdict.order_rule,
    verdict.order_seed,
    verdict.state,
    verdict.reason,
    verdict.detail,
    verdict.parse,
    verdict.best,
    verdict.remark,
    verdict.attempts_n,
    verdict.latency_ms,
    row_number() over (
        partition by verdict.file_id, verdict.question_id, verdict.judge, verdict.direction
        order by verdict.line desc
    ) = 1 as is_current,
    file.path as source_file,
    verdict.line as source_line
from store.panel_verdict as verdict
inner join store.file as file on file.file_id = verdict.file_id;

comment on view verdicts is 'One call of a judge about one question, successful or not.';
comment on column verdicts.run_id is 'The run that was judged; null when the answers had none.';
comment on column verdicts.dataset_id is 'The dataset that was judged; null when the answers had none.';
comment on column verdicts.question_id is 'The question.';
comment on column verdicts.judge is 'The judge model.';
comment on column verdicts.direction is '`forward`, `reverse` (the same answers from last to first) or `canary` (with planted answers).';
comment on column verdicts.order_rule is '`stable`, `per_judge` or `swap`.';
comment on column verdicts.order_seed is 'Seed of the `per_judge` order; null for the others.';
comment on column verdicts.state is '`scored` (every answer), `incomplete` or `unscored`.';
comment on column verdicts.reason is 'Why nobody is scored, one word; null otherwise.';
comment on column verdicts.detail is 'The reason in a line; empty without one.';
comment on column verdicts.parse is 'How the reply was read: `strict`, `fenced` or `scan`; null without a verdict.';
comment on column verdicts.best is 'The approach named best; null when none was.';
comment on column verdicts.remark is 'The judge''s sentence.';
comment on column verdicts.attempts_n is 'Calls made; 0 when nobody was asked.';
comment on column verdicts.latency_ms is 'Wall time of all attempts together; milliseconds.';
comment on column verdicts.is_current is 'Whether no later verdict of the same judge on the same question and direction replaces it.';
comment on column verdicts.source_file is 'The verdict sidecar.';
comment on column verdicts.source_line is 'Its one-based line in that file.';
