-- name: rankings/missing_as_zero_v1
-- purpose: Ranks approaches by a mean in which every missing score counts as 0, beside the mean of the scores there are. Some tools publish this mean; it is a question to ask, never the one that pages show.
-- grain: run_id, dataset_id, metric, approach
-- reads: cells, scores
-- param: run_id (varchar, default null): only this run; null takes all
-- param: dataset_id (varchar, default null): only this dataset; null takes all
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: metric (varchar): the metric
-- column: rank (bigint, 1 or more): 1 + number of approaches with a higher mean; equal means share it
-- column: approach (varchar): the approach
-- column: mean_missing_counted_as_0 (double): sum of the scores over all rows, six decimals
-- column: mean (double): mean of the scores there are, six decimals
-- column: scored (bigint, rows): rows with a score
-- column: total (bigint, rows): all rows of the metric
-- order: run_id, dataset_id, metric, rank, approach
-- nulls: mean is null when nothing was scored
-- since: 0.2.0
with
counted as (
    select
        cells.run_id,
        cells.dataset_id,
        scores.metric,
        cells.approach,
        r6(exact_mean(coalesce(scores.score, 0e0))) as mean_missing_counted_as_0,
        r6(exact_mean(scores.score)) as mean,
        count(scores.score) as scored,
        count(*) as total
    from scores
    inner join cells on cells.row_id = scores.row_id
    where
        ($run_id is null or cells.run_id = $run_id)
        and ($dataset_id is null or cells.dataset_id = $dataset_id)
    group by cells.run_id, cells.dataset_id, scores.metric, cells.approach
)
select
    run_id,
    dataset_id,
    metric,
    rank() over (partition by run_id, dataset_id, metric order by mean_missing_counted_as_0 desc) as rank,
    approach,
    mean_missing_counted_as_0,
    mean,
    scored,
    total
from counted
order by run_id, dataset_id, metric, rank, approach
