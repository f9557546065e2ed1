-- name: retrieval/all_chunks_v1
-- purpose: Reads every chunk of a collection, as graph building wants them
-- grain: chunk
-- reads: chunks
-- param: ingestion_key (bigint, required): the ingestion that answers for the collection
-- column: title (varchar): path of the document inside the corpus mount
-- column: text (varchar): the whole chunk
-- order: title, text, chunk_key
-- nulls: never
-- since: 0.1.0
select title, text
from chunks
where ingestion_key = $ingestion_key
order by title, text, chunk_key
