-- name: reports/stat_own_questions_v1
-- purpose: Gives each approach's mean over its own scored questions. Approaches may stand on different questions here, so
--   the order says nothing and there are no ranks (statistics contract, section 2).
-- grain: run_id, dataset_id, metric, approach
-- reads: metric_cells
-- param: run_id (varchar, default null): only this run; null takes all, each on its own
-- param: dataset_id (varchar, default null): only this dataset; null takes all, each on its own
-- param: metric (varchar, default null): only this metric; null takes all
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: metric (varchar): the metric
-- column: approach (varchar): the approach
-- column: own_mean (double): mean over its own scored questions
-- column: scored_n (bigint, questions): those questions
-- column: eligible_n (bigint, questions): questions the metric can apply to for anybody
-- column: reason (varchar): not_applicable or no_scores
-- order: run_id, dataset_id, metric, approach
-- nulls: own_mean is null with a reason
-- since: 0.1.0
select
    metric_cells.run_id,
    metric_cells.dataset_id,
    metric_cells.metric,
    metric_cells.approach,
    cast(sum(cast(metric_cells.score as decimal(38, 18))) as double) / nullif(count(metric_cells.score), 0) as own_mean,
    count(metric_cells.score) as scored_n,
    count(*) filter (where metric_cells.is_eligible) as eligible_n,
    case
        when not bool_and(metric_cells.is_applicable) then 'not_applicable'
        when count(metric_cells.score) = 0 then 'no_scores'
    end as reason
from metric_cells
where
    ($run_id is null or metric_cells.run_id = $run_id)
    and ($dataset_id is null or metric_cells.dataset_id = $dataset_id)
    and ($metric is null or metric_cells.metric = $metric)
group by metric_cells.run_id, metric_cells.dataset_id, metric_cells.metric, metric_cells.approach
order by metric_cells.run_id, metric_cells.dataset_id, metric_cells.metric, metric_cells.approach
