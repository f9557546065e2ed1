-- name: reports/leaderboard_v1
-- purpose: Ranks the approaches of each run and dataset in each scored metric, for a quick look at the terminal. A mean of
--   fewer scores than the floor asks for is provisional and stands behind the ranked ones. The full picture, with bounds
--   for what is missing, is `rankings/standings`.
-- grain: run_id, dataset_id, metric, approach
-- reads: cells, scores
-- param: dataset (varchar, default null): only this dataset; null takes all
-- param: run (varchar, default null): only this run; null takes all
-- param: metric (varchar, default null): only this metric; null takes all
-- param: coverage_floor (double, default 0.8): least share of scored cells of a ranked approach
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: metric (varchar): the metric
-- column: place (varchar): ranked, provisional or unscored
-- column: rank (bigint, 1 or more): place among the ranked, 1 is best; equal means share it
-- column: approach (varchar): the approach
-- column: mean (double): mean of the scores there are, six decimals
-- column: scored_n (bigint, cells): cells with a score
-- column: cells_n (bigint, cells): all cells
-- column: not_evaluable_n (bigint, cells): cells the metric does not apply to
-- column: errors_n (bigint, cells): cells whose scoring failed or ran out of time
-- column: not_run_n (bigint, cells): cells that nobody scored, failed cells among them
-- order: run_id, dataset_id, metric, place, rank, mean desc, approach
-- nulls: rank is null unless place is ranked; mean is null when nothing was scored
-- since: 0.2.0
with
counted as (
    select
        cells.run_id,
        cells.dataset_id,
        scores.metric,
        cells.approach,
        r6(exact_mean(scores.score)) as mean,
        count(scores.score) as scored_n,
        count(*) as cells_n,
        count(*) filter (where scores.state = 'not_evaluable') as not_evaluable_n,
        count(*) filter (where scores.state in ('error', 'timeout')) as errors_n,
        count(*) filter (where scores.state = 'not_run') as not_run_n
    from scores
    inner join cells on cells.row_id = scores.row_id
    where
        ($dataset is null or cells.dataset_id = $dataset)
        and ($run is null or cells.run_id = $run)
        and ($metric is null or scores.metric = $metric)
    group by cells.run_id, cells.dataset_id, scores.metric, cells.approach
),
placed as (
    select
        counted.*,
        case
            when counted.scored_n = 0 then 'unscored'
            when counted.scored_n >= $coverage_floor * (counted.cells_n - counted.not_evaluable_n) then 'ranked'
            else 'provisional'
        end as place
    from counted
),
ranked as (
    select
        placed.*,
        rank() over (
            partition by placed.run_id, placed.dataset_id, placed.metric, placed.place
            order by placed.mean desc
        ) as own_rank
    from placed
)
select
    ranked.run_id,
    ranked.dataset_id,
    ranked.metric,
    ranked.place,
    case when ranked.place = 'ranked' then ranked.own_rank end as rank,
    ranked.approach,
    ranked.mean,
    ranked.scored_n,
    ranked.cells_n,
    ranked.not_evaluable_n,
    ranked.errors_n,
    ranked.not_run_n
from ranked
order by
    ranked.run_id,
    ranked.dataset_id,
    ranked.metric,
    case ranked.place when 'ranked' then 1 when 'provisional' then 2 else 3 end,
    rank,
    ranked.mean desc,
    ranked.approach
