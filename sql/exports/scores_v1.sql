-- name: exports/scores_v1
-- purpose: Gives every metric of every cell with its state, also where nothing was scored, so that a mean finds its
--   denominator.
-- grain: row_id, metric
-- reads: cells, scores
-- param: runs (varchar, default null): JSON list of the runs wanted; null takes all
-- param: dataset_id (varchar, default null): only this dataset; null takes all
-- column: run_id (varchar): names the run
-- column: dataset_id (varchar): the dataset
-- column: complexity_level (bigint, 1 or more): how relational the dataset is
-- column: question_id (varchar): the question
-- column: approach (varchar): the alias that was called
-- column: metric (varchar): the metric
-- column: state (varchar): scored, not_evaluable, error, timeout or not_run
-- column: score (double): the score
-- column: reason (varchar): why there is no score
-- column: row_id (varchar): identity of the cell
-- order: run_id, dataset_id, question_id, approach, metric, row_id
-- nulls: score is null unless the state is scored; reason is null when it is
-- since: 0.2.0
select
    cells.run_id,
    cells.dataset_id,
    cells.complexity_level,
    cells.question_id,
    cells.approach,
    scores.metric,
    scores.state,
    scores.score,
    scores.reason,
    scores.row_id
from scores
inner join cells on cells.row_id = scores.row_id
where
    ($dataset_id is null or cells.dataset_id = $dataset_id)
    and ($runs is null or list_contains(cast(cast($runs as json) as varchar[]), cells.run_id))
order by cells.run_id, cells.dataset_id, cells.question_id, cells.approach, scores.metric, scores.row_id
