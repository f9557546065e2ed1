-- name: metrics/retrieval_v1
-- purpose: Scores the ranked sources of every cell against the relevant documents of its question, without any model
--   (statistics contract, section 9). Binary relevance; a document counts once, at its first chunk.
-- grain: row_id
-- reads: cells, staging.retrieval_cells, retrieval_hits
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- param: k (bigint, default 5): how many documents from the top count, 1 or more
-- column: row_id (varchar): the cell
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: question_id (varchar): the question
-- column: approach (varchar): the approach
-- column: state (varchar): scored, not_evaluable or not_run
-- column: reason (varchar): why there is no score
-- column: relevant_n (bigint, documents): relevant documents of the question
-- column: documents_n (bigint, documents): different documents among the sources
-- column: recall_at_k (double, 0..1): relevant documents among the first k, per relevant document
-- column: precision_at_k (double, 0..1): relevant documents among the first k, per k
-- column: hit_at_k (double, 0..1): 1 when one of the first k is relevant
-- column: mrr (double, 0..1): 1 / rank of the first relevant document, 0 without one; no cut
-- column: mrr_at_k (double, 0..1): the same within the first k
-- column: ndcg_at_k (double, 0..1): discounted gain of the first k, per that of the best order
-- order: run_id, dataset_id, question_id, approach, row_id
-- nulls: reason is null and the scores are not when the state is scored, and the other way round; all are null when k is
--   below 1
-- since: 0.1.0
with recursive
place as (
    select 1 as rank
    union all
    select place.rank + 1
    from place
    where place.rank < $k
),
ideal as (
    select
        place.rank as relevant_n,
        decimal_sum(1.0e0 / log2(other.rank + 1)) as gain
    from place
    inner join place as other on other.rank <= place.rank
    group by place.rank
),
hit as (
    select
        retrieval_hits.row_id,
        count(*) filter (where retrieval_hits.rank <= $k) as hits_n,
        min(retrieval_hits.rank) as first_rank,
        decimal_sum(
            case when retrieval_hits.rank <= $k then 1.0e0 / log2(retrieval_hits.rank + 1) end
        ) as gain
    from retrieval_hits
    where retrieval_hits.is_hit
    group by retrieval_hits.row_id
),
scorable as (
    select
        cells.row_id,
        cells.run_id,
        cells.dataset_id,
        cells.question_id,
        cells.approach,
        retrieval_cells.state,
        retrieval_cells.reason,
        retrieval_cells.relevant_n,
        retrieval_cells.documents_n,
        case when retrieval_cells.state = 'scored' and $k >= 1 then coalesce(hit.hits_n, 0) end as hits_n,
        case when retrieval_cells.state = 'scored' and $k >= 1 then coalesce(1.0e0 / hit.first_rank, 0.0e0) end as mrr,
        hit.first_rank,
        coalesce(hit.gain, 0.0e0) as gain,
        ideal.gain as ideal_gain
    from cells
    inner join staging.retrieval_cells as retrieval_cells on retrieval_cells.row_id = cells.row_id
    left join hit on hit.row_id = cells.row_id
    left join ideal on ideal.relevant_n = least(retrieval_cells.relevant_n, $k)
    where $source_file is null or cells.source_file = $source_file
)
select
    scorable.row_id,
    scorable.run_id,
    scorable.dataset_id,
    scorable.question_id,
    scorable.approach,
    scorable.state,
    scorable.reason,
    scorable.relevant_n,
    scorable.documents_n,
    cast(scorable.hits_n as double) / scorable.relevant_n as recall_at_k,
    cast(scorable.hits_n as double) / $k as precision_at_k,
    case when scorable.hits_n > 0 then 1.0e0 when scorable.hits_n = 0 then 0.0e0 end as hit_at_k,
    scorable.mrr,
    case when scorable.hits_n is not null and scorable.first_rank <= $k then scorable.mrr
        when scorable.hits_n is not null then 0.0e0 end as mrr_at_k,
    case when scorable.hits_n is not null then scorable.gain / scorable.ideal_gain end as ndcg_at_k
from scorable
order by scorable.run_id, scorable.dataset_id, scorable.question_id, scorable.approach, scorable.row_id
