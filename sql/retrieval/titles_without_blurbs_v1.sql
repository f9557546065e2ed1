-- name: retrieval/titles_without_blurbs_v1
-- purpose: Lists the documents of a job that have a chunk without a blurb
-- grain: document
-- reads: chunks, blurbs
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- column: title (varchar): path of the document inside the corpus mount
-- order: title
-- nulls: never
-- since: 0.1.0
select distinct chunks.title
from chunks
left join blurbs
    on blurbs.ingestion_key = chunks.ingestion_key and blurbs.chunk_key = chunks.chunk_key
where chunks.ingestion_key = $ingestion_key and blurbs.chunk_key is null
order by chunks.title
