-- name: staging/retrieval_cells_v1
-- purpose: Creates the view `staging.retrieval_cells`: whether the ranked sources of a cell can be scored, and why not.
-- grain: row_id
-- reads: cells, retrieval_hits, store.question_fact, store.relevant_document
-- order: none
-- nulls: reason is null when the state is scored
-- since: 0.1.0
create or replace view staging.retrieval_cells as
with
relevant_count as (
    select dataset_id, question_id, count(*) as relevant_n
    from store.relevant_document
    group by dataset_id, question_id
),
found as (
    select row_id, count(*) as documents_n, bool_or(is_document) as names_documents
    from retrieval_hits
    group by row_id
),
judged as (
    select
        cells.row_id,
        coalesce(relevant_count.relevant_n, 0) as relevant_n,
        coalesce(found.documents_n, 0) as documents_n,
        case
            when not coalesce(question_fact.has_relevance, false) then 'no_qrels'
            when coalesce(relevant_count.relevant_n, 0) = 0 then 'no_relevant'
            when cells.evidence_capability = 'answer_only' then 'answer_only'
            when cells.status <> 'ok' then concat('cell_', cells.status)
            when cells.contexts_missing and coalesce(found.documents_n, 0) = 0 then 'contexts_missing'
            when found.documents_n > 0 and not found.names_documents then 'sources_name_no_document'
        end as reason
    from cells
    left join store.question_fact as question_fact
        on question_fact.dataset_id = cells.dataset_id and question_fact.question_id = cells.question_id
    left join relevant_count
        on relevant_count.dataset_id = cells.dataset_id and relevant_count.question_id = cells.question_id
    left join found on found.row_id = cells.row_id
)
select
    row_id,
    relevant_n,
    documents_n,
    case
        when reason is null then 'scored'
        when reason like 'cell_%' then 'not_run'
        else 'not_evaluable'
    end as state,
    reason
from judged;
