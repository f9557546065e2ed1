-- name: reports/board_states_v1
-- purpose: Says for every metric and approach what became of its cells: scored, or why not.
-- grain: tier, metric, approach, state
-- reads: metric_cells, staging.approach_tiers
-- param: run_id (varchar, default null): only this run; null takes all together
-- column: line_key (varchar): equal for rows of one tier and metric
-- column: tier (varchar): base or flavors
-- column: metric (varchar): the metric
-- column: name (varchar): the approach
-- column: part (varchar): what became of the cells
-- column: part_n (bigint, 0..4): number of the state
-- column: cells_n (bigint, cells): cells in this state
-- column: whole_n (bigint, cells): cells of the approach
-- column: share (double, 0..1): their share of the approach's cells
-- column: share_text (varchar): the same, 100 % only when it is so
-- order: tier, metric, name, part_n
-- nulls: never
-- since: 0.1.0
with
counted as (
    select approach_tiers.tier, metric_cells.metric, metric_cells.approach, metric_cells.state, count(*) as cells_n
    from metric_cells
    inner join staging.approach_tiers
        on approach_tiers.run_id = metric_cells.run_id
        and approach_tiers.dataset_id = metric_cells.dataset_id
        and approach_tiers.approach = metric_cells.approach
    where $run_id is null or metric_cells.run_id = $run_id
    group by approach_tiers.tier, metric_cells.metric, metric_cells.approach, metric_cells.state
),
named as (
    select
        counted.*,
        state_name.part,
        state_name.part_n,
        cast(sum(counted.cells_n) over (partition by counted.tier, counted.metric, counted.approach) as bigint) as whole_n
    from counted
    inner join (
        values
            ('scored', 'scored', 0), ('not_evaluable', 'cannot apply', 1), ('not_run', 'not scored', 2),
            ('error', 'failed', 3), ('timeout', 'out of time', 4)
    ) as state_name (state, part, part_n) on state_name.state = counted.state
)
select
    concat(named.tier, chr(31), named.metric) as line_key,
    named.tier,
    named.metric,
    named.approach as name,
    named.part,
    cast(named.part_n as bigint) as part_n,
    named.cells_n,
    named.whole_n,
    cast(named.cells_n as double) / named.whole_n as share,
    share_text(named.cells_n, named.whole_n) as share_text
from named
order by named.tier, named.metric, named.approach, named.part_n
