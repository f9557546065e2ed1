-- name: retrieval/extractions_v1
-- purpose: Reads what was found in the chunks of a job
-- grain: chunk
-- reads: extractions
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- column: chunk_key (bigint, 0 or more): the chunk
-- column: extraction (varchar): JSON
-- order: chunk_key
-- nulls: never
-- since: 0.1.0
select chunk_key, extraction
from extractions
where ingestion_key = $ingestion_key
order by chunk_key
