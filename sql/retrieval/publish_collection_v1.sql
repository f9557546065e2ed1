-- name: retrieval/publish_collection_v1
-- purpose: Lets a finished job answer for its collection
-- grain: collection
-- reads: chunks, postings
-- param: collection (varchar, required): the collection that is searched
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
insert into collections (collection, ingestion_key, documents_n, chunks_n, mean_terms_n)
with
chunk_totals as (
    select count(distinct title) as documents_n, count(*) as chunks_n
    from chunks
    where ingestion_key = $ingestion_key
),
term_totals as (
    select coalesce(sum(frequency), 0) as terms_n
    from postings
    where ingestion_key = $ingestion_key
)
select
    $collection,
    $ingestion_key,
    chunk_totals.documents_n,
    chunk_totals.chunks_n,
    case when chunk_totals.chunks_n = 0 then 1.0
        else greatest(1.0, cast(term_totals.terms_n as double) / chunk_totals.chunks_n) end
from chunk_totals
cross join term_totals
