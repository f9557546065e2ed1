-- name: staging/retrieval_scores_v1
-- purpose: Creates the view `retrieval_scores`: the retrieval metrics of every cell of a dataset whose question file names
--   relevant documents, in the shape of `scores`. The grain is the document; `metrics/retrieval` takes other cuts than 5.
-- grain: row_id, metric
-- reads: cells, staging.retrieval_cells, retrieval_hits, store.question_fact
-- order: none
-- nulls: score is null unless the state is scored; reason is null when it is
-- since: 0.1.0
create or replace view retrieval_scores as
with
place as (
    select rank, 1.0e0 / log2(rank + 1) as discount
    from (values (1), (2), (3), (4), (5)) as counted (rank)
),
ideal as (
    select place.rank as relevant_n, decimal_sum(other.discount) as gain
    from place
    inner join place as other on other.rank <= place.rank
    group by place.rank
),
hit as (
    select
        retrieval_hits.row_id,
        count(place.rank) as hits_n,
        min(retrieval_hits.rank) as first_rank,
        decimal_sum(place.discount) as gain
    from retrieval_hits
    left join place on place.rank = retrieval_hits.rank
    where retrieval_hits.is_hit
    group by retrieval_hits.row_id
),
measured_dataset as (
    select distinct dataset_id
    from store.question_fact
    where has_relevance
),
scored as (
    select
        cells.row_id,
        retrieval_cells.state,
        retrieval_cells.reason,
        cast(coalesce(hit.hits_n, 0) as double) / nullif(retrieval_cells.relevant_n, 0) as recall_at_5,
        coalesce(1.0e0 / hit.first_rank, 0.0e0) as mrr,
        coalesce(hit.gain, 0.0e0) / ideal.gain as ndcg_at_5
    from cells
    inner join measured_dataset on measured_dataset.dataset_id = cells.dataset_id
    inner join staging.retrieval_cells as retrieval_cells on retrieval_cells.row_id = cells.row_id
    left join hit on hit.row_id = cells.row_id
    left join ideal on ideal.relevant_n = least(retrieval_cells.relevant_n, 5)
)
select
    scored.row_id,
    metric.metric,
    scored.state,
    case
        when scored.state <> 'scored' then null
        when metric.metric = 'recall_at_5' then scored.recall_at_5
        when metric.metric = 'mrr' then scored.mrr
        else scored.ndcg_at_5
    end as score,
    scored.reason
from scored
cross join (values ('recall_at_5'), ('mrr'), ('ndcg_at_5')) as metric (metric);

comment on view retrieval_scores is 'One retrieval metric of one cell; the grain is the document, not the chunk.';
comment on column retrieval_scores.row_id is 'The cell; join with `cells using (row_id)`.';
comment on column retrieval_scores.metric is '`recall_at_5`, `mrr` (no cut) or `ndcg_at_5`.';
comment on column retrieval_scores.state is '`scored`, `not_evaluable` or `not_run` (the cell failed).';
comment on column retrieval_scores.score is '0 to 1; null unless the state is `scored`.';
comment on column retrieval_scores.reason is '`no_qrels`, `no_relevant`, `answer_only`, `sources_name_no_document`, `cell_error` or `cell_timeout`; null when there is a score.';
