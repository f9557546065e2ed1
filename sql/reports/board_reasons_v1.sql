-- name: reports/board_reasons_v1
-- purpose: Counts every score that is missing by its reason.
-- grain: metric, state, reason
-- reads: metric_cells
-- param: run_id (varchar, default null): only this run; null takes all together
-- column: metric (varchar): the metric
-- column: state (varchar): not_evaluable, error, timeout or not_run
-- column: reason (varchar): why there is no score, cut at 200 characters
-- column: cells_n (bigint, cells): cells without a score for this reason
-- column: approaches_n (bigint, approaches): approaches concerned
-- column: approaches (varchar): their names, cut at 300 characters
-- order: metric, cells_n desc, state, reason
-- nulls: reason is null when none was given
-- since: 0.1.0
select
    metric_cells.metric,
    metric_cells.state,
    preview(metric_cells.reason, 200) as reason,
    count(*) as cells_n,
    count(distinct metric_cells.approach) as approaches_n,
    preview(string_agg(distinct metric_cells.approach, ', ' order by metric_cells.approach), 300) as approaches
from metric_cells
where metric_cells.state <> 'scored' and ($run_id is null or metric_cells.run_id = $run_id)
group by metric_cells.metric, metric_cells.state, preview(metric_cells.reason, 200)
order by metric_cells.metric, cells_n desc, metric_cells.state, reason
