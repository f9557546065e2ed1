-- name: rankings/operational_v1
-- purpose: Ranks approaches by mean latency of their answers, with what failed beside it.
-- grain: scope, dataset_id, approach
-- reads: cells
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- column: scope (varchar): dataset or overall
-- column: dataset_id (varchar): the dataset
-- column: rank (bigint, 1 or more): 1 + number of faster approaches; equal means share it
-- column: tied_n (bigint, 1 or more): approaches that share the rank
-- column: approach (varchar): the approach
-- column: mean_latency_ms (double, milliseconds): mean over rows with an answer, six decimals
-- column: attempted (bigint, rows): all rows
-- column: successful (bigint, rows): rows with an answer
-- column: errors (bigint, rows): rows that ended in an error
-- column: timeouts (bigint, rows): rows that ran out of time
-- column: error_rate (double, 0..1): errors and timeouts per attempted row
-- column: coverage (double, 0..1): answers per attempted row
-- order: scope, dataset_id, rank, approach
-- nulls: dataset_id is null for the whole; rank, tied_n and mean_latency_ms are null when nothing was answered
-- since: 0.1.0
with
scoped_cell as (
    select cells.dataset_id, cells.approach, cells.status, cells.latency_ms
    from cells
    where $source_file is null or cells.source_file = $source_file
),
counted as (
    select
        case when grouping(scoped_cell.dataset_id) = 0 then 'dataset' else 'overall' end as scope,
        scoped_cell.dataset_id,
        scoped_cell.approach,
        sum(scoped_cell.latency_ms) filter (where scoped_cell.status = 'ok') as latency_sum_ms,
        count(*) as attempted,
        count(*) filter (where scoped_cell.status = 'ok') as successful,
        count(*) filter (where scoped_cell.status = 'error') as errors,
        count(*) filter (where scoped_cell.status = 'timeout') as timeouts
    from scoped_cell
    group by grouping sets ((scoped_cell.dataset_id, scoped_cell.approach), (scoped_cell.approach))
),
measured as (
    select
        counted.*,
        r6(cast(counted.latency_sum_ms as double) / nullif(counted.successful, 0)) as mean_latency_ms
    from counted
),
ranked as (
    select
        measured.*,
        rank() over (
            partition by measured.scope, measured.dataset_id order by measured.mean_latency_ms asc nulls last
        ) as place
    from measured
)
select
    ranked.scope,
    ranked.dataset_id,
    case when ranked.mean_latency_ms is not null then ranked.place end as rank,
    case
        when ranked.mean_latency_ms is not null
            then count(*) over (partition by ranked.scope, ranked.dataset_id, ranked.place)
    end as tied_n,
    ranked.approach,
    ranked.mean_latency_ms,
    ranked.attempted,
    ranked.successful,
    ranked.errors,
    ranked.timeouts,
    r6(cast(ranked.errors + ranked.timeouts as double) / ranked.attempted) as error_rate,
    r6(cast(ranked.successful as double) / ranked.attempted) as coverage
from ranked
order by ranked.scope, ranked.dataset_id, rank nulls last, ranked.approach
