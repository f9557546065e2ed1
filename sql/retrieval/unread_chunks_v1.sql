-- name: retrieval/unread_chunks_v1
-- purpose: Reads chunks of a job from which no entities and relations were taken yet
-- grain: chunk
-- reads: chunks, extractions
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- param: from_key (bigint, required): the first chunk key wanted
-- param: limit (bigint, required): how many at most
-- column: chunk_key (bigint, 0 or more): position in the collection
-- column: title (varchar): path of the document inside the corpus mount
-- column: text (varchar): the whole chunk
-- order: chunk_key
-- nulls: never
-- since: 0.1.0
select chunks.chunk_key, chunks.title, chunks.text
from chunks
left join extractions
    on extractions.ingestion_key = chunks.ingestion_key and extractions.chunk_key = chunks.chunk_key
where chunks.ingestion_key = $ingestion_key and chunks.chunk_key >= $from_key and extractions.chunk_key is null
order by chunks.chunk_key
limit $limit
