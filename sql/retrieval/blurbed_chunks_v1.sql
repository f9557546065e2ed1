-- name: retrieval/blurbed_chunks_v1
-- purpose: Reads the chunks of a job with their blurbs
-- grain: chunk
-- reads: chunks, blurbs
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- column: chunk_key (bigint, 0 or more): position in the collection
-- column: title (varchar): path of the document inside the corpus mount
-- column: chunk_index (bigint, 0 or more): position in the document
-- column: text (varchar): the whole chunk
-- column: blurb (varchar): its blurb; may be empty
-- order: chunk_key
-- nulls: never
-- since: 0.1.0
select chunks.chunk_key, chunks.title, chunks.chunk_index, chunks.text, blurbs.blurb
from chunks
inner join blurbs
    on blurbs.ingestion_key = chunks.ingestion_key and blurbs.chunk_key = chunks.chunk_key
where chunks.ingestion_key = $ingestion_key
order by chunks.chunk_key
