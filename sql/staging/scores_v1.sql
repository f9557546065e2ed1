-- name: staging/scores_v1
-- purpose: Creates the view `scores`: every metric of every cell with its state, so that a mean always finds its
--   denominator. A metric belongs to all cells of a run's dataset as soon as one of them names it.
-- grain: row_id, metric
-- reads: store.cell, staging.score_entries
-- order: none
-- nulls: score is null unless the state is scored; reason is null when it is
-- since: 0.1.0
create or replace view scores as
with
named_metric as (
    select distinct cell.run_id, cell.dataset_id, entry.metric
    from staging.score_entries as entry
    inner join store.cell as cell on cell.file_id = entry.file_id and cell.line = entry.line
    where entry.is_named
)
select
    cell.row_id,
    named_metric.metric,
    case
        when cell.status <> 'ok' then 'not_run'
        when entry.score_kind = 'number' then 'scored'
        when entry.not_evaluable_reason is not null and entry.score_kind <> 'boolean' then 'not_evaluable'
        when entry.metric_error is null and coalesce(cell.ragas_status, '') <> 'error'
            and (entry.metric is null or cell.ragas_status = 'disabled') then 'not_run'
        when entry.counter = 'timeouts'
            or (entry.metric is null and (cell.ragas_error_type like '%Timeout'
                or cell.ragas_error_type = 'TimeoutError')) then 'timeout'
        else 'error'
    end as state,
    case when cell.status = 'ok' then entry.score end as score,
    case
        when cell.status <> 'ok' then concat('cell_', cell.status)
        when entry.score_kind = 'number' then null
        when entry.not_evaluable_reason is not null and entry.score_kind <> 'boolean' then entry.not_evaluable_reason
        when entry.metric_error is not null then entry.metric_error
        when cell.ragas_status = 'error' then coalesce(cell.ragas_error_type, 'scoring_error')
        when cell.ragas_status = 'disabled' then 'scoring_disabled'
        when entry.metric is null then 'not_requested'
        when entry.score_kind in ('absent', 'null') then 'score_missing_or_null'
        else 'score_not_numeric'
    end as reason
from store.cell as cell
inner join named_metric
    on named_metric.run_id = cell.run_id and named_metric.dataset_id = cell.dataset_id
left join staging.score_entries as entry
    on entry.file_id = cell.file_id and entry.line = cell.line and entry.metric = named_metric.metric;

comment on view scores is 'One metric of one cell, also where nothing was scored, so that `count(*)` is the denominator.';
comment on column scores.row_id is 'The cell; join with `cells using (row_id)`.';
comment on column scores.metric is 'The metric, for instance `faithfulness`.';
comment on column scores.state is '`scored`, `not_evaluable` (does not apply here), `error`, `timeout`, or `not_run` (nobody tried).';
comment on column scores.score is 'The score; null unless the state is `scored`.';
comment on column scores.reason is 'Why there is no score; null when there is one.';
