-- name: retrieval/document_chunks_v1
-- purpose: Reads the chunks of one document of a job, and whether each has its blurb
-- grain: chunk
-- reads: chunks, blurbs
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- param: title (varchar, required): path of the document inside the corpus mount
-- column: chunk_key (bigint, 0 or more): position in the collection
-- column: text (varchar): the whole chunk
-- column: has_blurb (boolean): whether its blurb has arrived
-- order: chunk_key
-- nulls: never
-- since: 0.1.0
select chunks.chunk_key, chunks.text, blurbs.chunk_key is not null as has_blurb
from chunks
left join blurbs
    on blurbs.ingestion_key = chunks.ingestion_key and blurbs.chunk_key = chunks.chunk_key
where chunks.ingestion_key = $ingestion_key and chunks.title = $title
order by chunks.chunk_key
