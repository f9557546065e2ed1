-- name: rankings/retrieval_v1
-- purpose: Ranks approaches by the mean of each retrieval metric, with every cell that has no score counted, in the shape
--   of `rankings/ragas`.
-- grain: scope, dataset_id, metric, approach
-- reads: cells, retrieval_scores
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- column: scope (varchar): dataset or overall
-- column: dataset_id (varchar): the dataset
-- column: metric (varchar): recall_at_5, mrr or ndcg_at_5
-- column: rank (bigint, 1 or more): 1 + number of better approaches; equal means share it
-- column: tied_n (bigint, 1 or more): approaches that share the rank
-- column: approach (varchar): the approach
-- column: mean (double, 0..1): mean of the scores, six decimals
-- column: evaluated (bigint, cells): cells with a score
-- column: total (bigint, cells): all cells
-- column: not_evaluable (bigint, cells): cells whose question names no relevant document, or whose sources name none
-- column: errors (bigint, cells): cells that failed
-- column: timeouts (bigint, cells): cells that ran out of time
-- column: coverage (double, 0..1): scores per cell
-- order: scope, dataset_id, metric, rank, approach
-- nulls: dataset_id is null for the whole; rank, tied_n and mean are null when nothing was scored
-- since: 0.1.0
with
counted as (
    select
        case when grouping(cells.dataset_id) = 0 then 'dataset' else 'overall' end as scope,
        cells.dataset_id,
        retrieval_scores.metric,
        cells.approach,
        r6(exact_mean(retrieval_scores.score)) as mean,
        count(*) as total,
        count(*) filter (where retrieval_scores.state = 'scored') as evaluated,
        count(*) filter (where retrieval_scores.state = 'not_evaluable') as not_evaluable,
        count(*) filter (where retrieval_scores.state = 'not_run' and cells.status <> 'timeout') as errors,
        count(*) filter (where retrieval_scores.state = 'not_run' and cells.status = 'timeout') as timeouts
    from cells
    inner join retrieval_scores on retrieval_scores.row_id = cells.row_id
    where $source_file is null or cells.source_file = $source_file
    group by grouping sets (
        (cells.dataset_id, retrieval_scores.metric, cells.approach),
        (retrieval_scores.metric, cells.approach)
    )
),
ranked as (
    select
        counted.*,
        rank() over (
            partition by counted.scope, counted.dataset_id, counted.metric
            order by counted.mean desc nulls last
        ) as place
    from counted
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
