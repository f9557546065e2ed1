-- name: staging/metric_cells_v1
-- purpose: Creates the view `metric_cells`: the grid of questions, approaches and metrics that statistics rest on. A row
--   stands there for every question that anybody was asked, whether or not this approach has a cell for it, so that a
--   mean always finds what is missing (statistics contract, section 0).
-- grain: run_id, dataset_id, question_id, approach, metric
-- reads: cells, questions, scores, retrieval_scores, metric_cards, store.question_fact, store.judge_mean,
--   store.judge_verdict, store.judgment, store.file
-- order: none
-- nulls: score and steps_n are null unless the state is scored; reason is null when it is
-- since: 0.1.0
create or replace view metric_cells as
with
judged as (
    select
        cells.row_id,
        judge_mean.mean,
        row_number() over (partition by cells.row_id order by file.path desc, judge_mean.position) as place
    from store.judge_mean as judge_mean
    inner join store.judgment as judgment on judgment.file_id = judge_mean.file_id
    inner join store.file as file on file.file_id = judge_mean.file_id
    inner join cells
        on cells.question_id = judge_mean.question_id
        and cells.approach = judge_mean.approach
        and cells.dataset_id = coalesce(judgment.dataset_id, cells.dataset_id)
        and cells.run_id = coalesce(judgment.run_id, cells.run_id)
),
-- A reply that could not be read at all names no approach: it failed for every answer to the question.
failed_verdict as (
    select distinct judgment.run_id, judgment.dataset_id, verdict.question_id, verdict.approach
    from store.judge_verdict as verdict
    inner join store.judgment as judgment on judgment.file_id = verdict.file_id
    where verdict.score is null
),
unjudged as (
    select distinct cells.run_id, cells.dataset_id, cells.row_id
    from failed_verdict
    inner join cells
        on cells.question_id = failed_verdict.question_id
        and cells.dataset_id = coalesce(failed_verdict.dataset_id, cells.dataset_id)
        and cells.run_id = coalesce(failed_verdict.run_id, cells.run_id)
        and cells.approach = coalesce(failed_verdict.approach, cells.approach)
    where cells.status = 'ok'
),
judged_dataset as (
    select cells.run_id, cells.dataset_id
    from judged
    inner join cells on cells.row_id = judged.row_id
    union
    select unjudged.run_id, unjudged.dataset_id
    from unjudged
),
measured as (
    select row_id, metric, state, score, reason
    from scores
    union all
    select row_id, metric, state, score, reason
    from retrieval_scores
    union all
    select row_id, 'ok', 'scored', case when status = 'ok' then 1.0e0 else 0.0e0 end, cast(null as varchar)
    from cells
    union all
    select
        row_id,
        'latency_ms',
        case when status = 'ok' and latency_ms is not null then 'scored' else 'not_run' end,
        case when status = 'ok' then cast(latency_ms as double) end,
        case when status <> 'ok' then concat('cell_', status) when latency_ms is null then 'no_latency' end
    from cells
    union all
    select
        cells.row_id,
        'judge_mean',
        case when judged.mean is not null then 'scored' when unjudged.row_id is not null then 'error' else 'not_run' end,
        judged.mean,
        case
            when judged.mean is not null then null
            when unjudged.row_id is not null then 'no_verdict'
            else 'not_judged'
        end
    from cells
    inner join judged_dataset
        on judged_dataset.run_id = cells.run_id and judged_dataset.dataset_id = cells.dataset_id
    left join judged on judged.row_id = cells.row_id and judged.place = 1
    left join unjudged on unjudged.row_id = cells.row_id
),
placed as (
    select cells.run_id, cells.dataset_id, cells.question_id, cells.approach, measured.*
    from measured
    inner join cells on cells.row_id = measured.row_id
),
grid as (
    select question.run_id, question.dataset_id, question.question_id, question.complexity_level,
        question.has_reference, approach.approach, approach.gives_contexts, metric.metric
    from (
        select
            cells.run_id,
            cells.dataset_id,
            cells.question_id,
            min(cells.complexity_level) as complexity_level,
            bool_or(coalesce(questions.ground_truth, '') <> '') as has_reference
        from cells
        inner join questions
            on questions.dataset_id = cells.dataset_id and questions.question_id = cells.question_id
        group by cells.run_id, cells.dataset_id, cells.question_id
    ) as question
    inner join (
        select run_id, dataset_id, approach, bool_or(coalesce(evidence_capability, '') <> 'answer_only') as gives_contexts
        from cells
        group by run_id, dataset_id, approach
    ) as approach on approach.run_id = question.run_id and approach.dataset_id = question.dataset_id
    inner join (
        select distinct run_id, dataset_id, metric
        from placed
    ) as metric on metric.run_id = question.run_id and metric.dataset_id = question.dataset_id
),
checked as (
    select
        grid.run_id,
        grid.dataset_id,
        grid.complexity_level,
        grid.question_id,
        coalesce(question_fact.topic, grid.question_id) as unit,
        grid.approach,
        grid.metric,
        placed.row_id,
        case
            when placed.row_id is null then 'not_run'
            when placed.state = 'scored' and (
                placed.score < card.low - 1e-9 or placed.score > card.high + 1e-9
                or (card.scale = 'log' and placed.score <= 0)
            ) then 'error'
            else placed.state
        end as state,
        case
            when placed.row_id is null then 'no_cell'
            when placed.state = 'scored' and (
                placed.score < card.low - 1e-9 or placed.score > card.high + 1e-9
                or (card.scale = 'log' and placed.score <= 0)
            ) then 'out_of_range'
            else placed.reason
        end as reason,
        case when placed.state = 'scored' then greatest(least(placed.score, card.high), card.low) end as score,
        not (card.needs_reference and not grid.has_reference)
            and coalesce(placed.reason, '') not in ('no_qrels', 'no_relevant', 'ground_truth_required') as is_eligible,
        card.needs_contexts and not grid.gives_contexts as lacks_contexts,
        card.quantum,
        card.scale
    from grid
    inner join metric_cards as card on card.metric = grid.metric
    left join store.question_fact as question_fact
        on question_fact.dataset_id = grid.dataset_id and question_fact.question_id = grid.question_id
    left join placed
        on placed.run_id = grid.run_id
        and placed.dataset_id = grid.dataset_id
        and placed.question_id = grid.question_id
        and placed.approach = grid.approach
        and placed.metric = grid.metric
),
settled as (
    select
        checked.*,
        bool_and(is_eligible) over (partition by run_id, dataset_id, metric, question_id) as question_is_eligible
    from checked
)
select
    run_id,
    dataset_id,
    complexity_level,
    question_id,
    unit,
    approach,
    metric,
    row_id,
    state,
    case when state = 'scored' and question_is_eligible then score end as score,
    case
        when state = 'scored' and question_is_eligible
            then cast(floor(case when scale = 'log' then ln(score) else score end / quantum + 0.5) as bigint)
    end as steps_n,
    reason,
    question_is_eligible as is_eligible,
    not lacks_contexts
        and not bool_and(state = 'not_evaluable' or not question_is_eligible)
            over (partition by run_id, dataset_id, metric, approach) as is_applicable
from settled;

comment on view metric_cells is 'One metric of one approach on one question that anybody was asked, scored or missing.';
comment on column metric_cells.run_id is 'The run.';
comment on column metric_cells.dataset_id is 'The dataset.';
comment on column metric_cells.complexity_level is 'How relational the dataset is; 1 is the plainest.';
comment on column metric_cells.question_id is 'The question.';
comment on column metric_cells.unit is 'What varies independently: the topic of the question when its file names one, else the question.';
comment on column metric_cells.approach is 'The approach.';
comment on column metric_cells.metric is 'The metric; only those with a card in `metric_cards`.';
comment on column metric_cells.row_id is 'The cell; null when the approach has none for the question.';
comment on column metric_cells.state is '`scored`, `not_evaluable`, `error`, `timeout` or `not_run`.';
comment on column metric_cells.score is 'The score, within the range of the metric; null unless the state is `scored` and the question eligible.';
comment on column metric_cells.steps_n is 'The score as a whole number of quantum steps on the scale of comparison; sums of it are exact.';
comment on column metric_cells.reason is 'Why there is no score; null when there is one.';
comment on column metric_cells.is_eligible is 'Whether the metric can apply to the question for anybody.';
comment on column metric_cells.is_applicable is 'Whether the metric can apply to the approach at all.';
