-- name: staging/retrieval_hits_v1
-- purpose: Creates the view `retrieval_hits`: the documents of each answered cell in the order of its sources, each once,
--   with whether the question's file calls it relevant. Source titles are `<corpus folder>/<document>`.
-- grain: row_id, rank
-- reads: cells, store.source_title, store.question_fact, store.relevant_document
-- order: none
-- nulls: never
-- since: 0.1.0
create or replace view retrieval_hits as
with
titled_source as (
    select
        cells.row_id,
        cells.dataset_id,
        cells.question_id,
        source_title.position,
        case
            when starts_with(source_title.title, question_fact.corpus || '/')
                then substr(source_title.title, length(question_fact.corpus) + 2)
            else source_title.title
        end as document,
        starts_with(source_title.title, question_fact.corpus || '/') as is_in_corpus
    from cells
    inner join store.question_fact as question_fact
        on question_fact.dataset_id = cells.dataset_id and question_fact.question_id = cells.question_id
    inner join store.source_title as source_title on source_title.row_id = cells.row_id
    where cells.status = 'ok' and question_fact.has_relevance
),
first_place as (
    select
        row_id, dataset_id, question_id, document, min(position) as position, bool_or(is_in_corpus) as is_in_corpus
    from titled_source
    group by row_id, dataset_id, question_id, document
),
known_document as (
    select distinct dataset_id, document
    from store.relevant_document
)
select
    first_place.row_id,
    row_number() over (partition by first_place.row_id order by first_place.position) as rank,
    first_place.document,
    relevant.document is not null as is_hit,
    first_place.is_in_corpus or known_document.document is not null as is_document
from first_place
left join store.relevant_document as relevant
    on relevant.dataset_id = first_place.dataset_id
    and relevant.question_id = first_place.question_id
    and relevant.document = first_place.document
left join known_document
    on known_document.dataset_id = first_place.dataset_id and known_document.document = first_place.document;

comment on view retrieval_hits is 'One document among the sources of an answered cell, chunks of it counted once.';
comment on column retrieval_hits.row_id is 'The cell; join with `cells using (row_id)`.';
comment on column retrieval_hits.rank is 'Place of the document among the documents of the cell, from 1, by its first chunk.';
comment on column retrieval_hits.document is 'The document, relative to the corpus folder.';
comment on column retrieval_hits.is_hit is 'Whether the question file calls it relevant; documents nobody judged count as not relevant.';
comment on column retrieval_hits.is_document is 'Whether the title names a document at all, rather than a trace or a graph.';
