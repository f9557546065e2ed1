-- name: checks/fail_counters_reconcile_v1
-- purpose: Finds metrics whose states do not add up to their rows.
-- grain: run_id, dataset_id, approach, metric
-- reads: cells, scores
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: approach (varchar): the approach
-- column: metric (varchar): the metric
-- column: cells_n (bigint, rows): rows of the approach
-- column: states_n (bigint, rows): rows that have one of the five states
-- order: run_id, dataset_id, approach, metric
-- nulls: never
-- since: 0.1.0
with
cell_count as (
    select cells.run_id, cells.dataset_id, cells.approach, count(*) as cells_n
    from cells
    group by cells.run_id, cells.dataset_id, cells.approach
),
state_count as (
    select
        cells.run_id,
        cells.dataset_id,
        cells.approach,
        scores.metric,
        count(*) filter (
            where scores.state in ('scored', 'not_evaluable', 'error', 'timeout', 'not_run')
        ) as states_n
    from scores
    inner join cells on cells.row_id = scores.row_id
    group by cells.run_id, cells.dataset_id, cells.approach, scores.metric
)
select
    state_count.run_id,
    state_count.dataset_id,
    state_count.approach,
    state_count.metric,
    cell_count.cells_n,
    state_count.states_n
from state_count
inner join cell_count
    on cell_count.run_id = state_count.run_id
    and cell_count.dataset_id = state_count.dataset_id
    and cell_count.approach = state_count.approach
where state_count.states_n <> cell_count.cells_n
order by state_count.run_id, state_count.dataset_id, state_count.approach, state_count.metric
