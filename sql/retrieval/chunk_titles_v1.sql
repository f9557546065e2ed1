-- name: retrieval/chunk_titles_v1
-- purpose: Lists the documents of a job that have chunks
-- grain: document
-- reads: chunks
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- column: title (varchar): path of the document inside the corpus mount
-- order: title
-- nulls: never
-- since: 0.1.0
select distinct title
from chunks
where ingestion_key = $ingestion_key
order by title
