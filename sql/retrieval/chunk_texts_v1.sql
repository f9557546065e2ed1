-- name: retrieval/chunk_texts_v1
-- purpose: Reads chunks of a job from a position on
-- grain: chunk
-- reads: chunks
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- param: from_key (bigint, required): the first chunk key wanted
-- param: limit (bigint, required): how many at most
-- column: chunk_key (bigint, 0 or more): position
-- column: text (varchar): the whole chunk
-- order: chunk_key
-- nulls: never
-- since: 0.1.0
select chunk_key, text
from chunks
where ingestion_key = $ingestion_key and chunk_key >= $from_key
order by chunk_key
limit $limit
