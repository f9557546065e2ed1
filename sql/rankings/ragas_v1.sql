-- name: rankings/ragas_v1
-- purpose: Ranks approaches by the mean of each metric, with every row that has no score counted by its reason.
--   A metric counts for all rows of a scope as soon as one of them names it (evaluation contract 6.3 and 6.4).
-- grain: scope, dataset_id, metric, approach
-- reads: store.cell, store.file, staging.score_entries
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- column: scope (varchar): dataset or overall
-- column: dataset_id (varchar): the dataset
-- column: metric (varchar): the metric
-- column: rank (bigint, 1 or more): 1 + number of better approaches; equal means share it
-- column: tied_n (bigint, 1 or more): approaches that share the rank
-- column: approach (varchar): the approach
-- column: mean (double): mean of the scores, six decimals
-- column: evaluated (bigint, rows): rows with a score
-- column: total (bigint, rows): all rows
-- column: not_evaluable (bigint, rows): rows the metric cannot apply to
-- column: errors (bigint, rows): rows that failed, or whose score failed
-- column: timeouts (bigint, rows): rows that ran out of time, or whose score did
-- column: coverage (double, 0..1): scores per row
-- order: scope, dataset_id, metric, rank, approach
-- nulls: dataset_id is null for the whole; rank, tied_n and mean are null when nothing was scored
-- since: 0.1.0
with
scoped_cell as (
    select
        cell.file_id,
        cell.line,
        cell.dataset_id,
        cell.approach,
        case
            when cell.status = 'timeout' then 'timeouts'
            when cell.status = 'ok' and cell.ragas_status = 'error'
                and (cell.ragas_error_type like '%Timeout' or cell.ragas_error_type = 'TimeoutError') then 'timeouts'
            else 'errors'
        end as counter_without_entry
    from store.cell as cell
    inner join store.file as file on file.file_id = cell.file_id
    where $source_file is null or file.path = $source_file
),
dataset_metric as (
    select distinct scoped_cell.dataset_id, entry.metric
    from staging.score_entries as entry
    inner join scoped_cell on scoped_cell.file_id = entry.file_id and scoped_cell.line = entry.line
    where entry.is_named
),
scope_metric as (
    select distinct dataset_metric.metric
    from dataset_metric
),
cell_metric as (
    select
        scoped_cell.dataset_id,
        scoped_cell.approach,
        scope_metric.metric,
        coalesce(entry.counter, scoped_cell.counter_without_entry) as counter,
        case when entry.counter = 'evaluated' then entry.score end as score
    from scoped_cell
    cross join scope_metric
    left join staging.score_entries as entry
        on entry.file_id = scoped_cell.file_id and entry.line = scoped_cell.line and entry.metric = scope_metric.metric
),
counted as (
    select
        case when grouping(cell_metric.dataset_id) = 0 then 'dataset' else 'overall' end as scope,
        cell_metric.dataset_id,
        cell_metric.metric,
        cell_metric.approach,
        r6(exact_mean(cell_metric.score)) as mean,
        count(*) as total,
        count(*) filter (where cell_metric.counter = 'evaluated') as evaluated,
        count(*) filter (where cell_metric.counter = 'not_evaluable') as not_evaluable,
        count(*) filter (where cell_metric.counter = 'errors') as errors,
        count(*) filter (where cell_metric.counter = 'timeouts') as timeouts
    from cell_metric
    group by grouping sets (
        (cell_metric.dataset_id, cell_metric.metric, cell_metric.approach),
        (cell_metric.metric, cell_metric.approach)
    )
),
measured as (
    select counted.*
    from counted
    left join dataset_metric
        on dataset_metric.dataset_id = counted.dataset_id and dataset_metric.metric = counted.metric
    where counted.scope = 'overall' or dataset_metric.metric is not null
),
ranked as (
    select
        measured.*,
        rank() over (
            partition by measured.scope, measured.dataset_id, measured.metric
            order by measured.mean desc nulls last
        ) as place
    from measured
)
select
    ranked.scope,
    ranked.dataset_id,
    ranked.metric,
    case when ranked.mean is not null then ranked.place end as rank,
    case
        when ranked.mean is not null
            then count(*) over (partition by ranked.scope, ranked.dataset_id, ranked.metric, ranked.place)
    end as tied_n,
    ranked.approach,
    ranked.mean,
    ranked.evaluated,
    ranked.total,
    ranked.not_evaluable,
    ranked.errors,
    ranked.timeouts,
    r6(cast(ranked.evaluated as double) / ranked.total) as coverage
from ranked
order by ranked.scope, ranked.dataset_id, ranked.metric, rank nulls last, ranked.approach
