-- name: staging/verdict_scores_v1
-- purpose: Creates the view `verdict_scores`: every answer a judge was shown, with its place and its score or the reason
--   why there is none. Planted answers are marked, so that they are never ranked.
-- grain: source_file, source_line, position
-- reads: verdicts, store.panel_score, store.file, cells
-- order: none
-- nulls: score is null when there is a reason; characters_n is null when the answer is not in this database
-- since: 0.1.0
create or replace view verdict_scores as
with
answer_length as (
    select run_id, dataset_id, question_id, approach, max(length(answer)) as characters_n
    from cells
    where status = 'ok' and answer <> ''
    group by run_id, dataset_id, question_id, approach
)
select
    verdicts.run_id,
    verdicts.dataset_id,
    verdicts.question_id,
    verdicts.judge,
    verdicts.direction,
    verdicts.order_rule,
    panel_score.position,
    panel_score.label,
    panel_score.approach,
    starts_with(panel_score.approach, 'canary/') as is_planted,
    panel_score.score,
    verdicts.best is not null and verdicts.best = panel_score.approach as is_best,
    case
        when panel_score.score is not null then 'scored'
        when coalesce(panel_score.reason, verdicts.reason) = 'timeout' then 'timeout'
        when coalesce(panel_score.reason, verdicts.reason) = 'no_answers' then 'not_evaluable'
        else 'error'
    end as state,
    case when panel_score.score is null then coalesce(panel_score.reason, verdicts.reason, 'judge_missing_label') end
        as reason,
    answer_length.characters_n,
    verdicts.is_current,
    verdicts.source_file,
    verdicts.source_line
from verdicts
inner join store.file as file on file.path = verdicts.source_file
inner join store.panel_score as panel_score
    on panel_score.file_id = file.file_id and panel_score.line = verdicts.source_line
left join answer_length
    on answer_length.run_id = verdicts.run_id
    and answer_length.dataset_id = verdicts.dataset_id
    and answer_length.question_id = verdicts.question_id
    and answer_length.approach = panel_score.approach;

comment on view verdict_scores is 'One answer that a judge was shown, planted ones included.';
comment on column verdict_scores.run_id is 'The run that was judged; null when the answers had none.';
comment on column verdict_scores.dataset_id is 'The dataset that was judged; null when the answers had none.';
comment on column verdict_scores.question_id is 'The question.';
comment on column verdict_scores.judge is 'The judge model.';
comment on column verdict_scores.direction is '`forward`, `reverse` or `canary`.';
comment on column verdict_scores.order_rule is '`stable`, `per_judge` or `swap`.';
comment on column verdict_scores.position is 'Place of the answer in the prompt, from 1.';
comment on column verdict_scores.label is 'The label it was shown under.';
comment on column verdict_scores.approach is 'Whose answer, or the name of a planted one (`canary/...`).';
comment on column verdict_scores.is_planted is 'Whether the answer was planted; such answers are reported and never ranked.';
comment on column verdict_scores.score is '1 (useless) to 5 (on point); null unless the state is `scored`.';
comment on column verdict_scores.is_best is 'Whether the judge named it the best.';
comment on column verdict_scores.state is '`scored`, `not_evaluable`, `error` or `timeout`.';
comment on column verdict_scores.reason is 'Why there is no score, one word; null when there is one.';
comment on column verdict_scores.characters_n is 'Characters of the stored answer before any cut; null when the answer is not in this database.';
comment on column verdict_scores.is_current is 'Whether no later verdict replaces it.';
comment on column verdict_scores.source_file is 'The verdict sidecar.';
comment on column verdict_scores.source_line is 'Its one-based line in that file.';
