-- name: retrieval/clear_postings_v1
-- purpose: Removes the postings of a job
-- grain: posting
-- reads: postings
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from postings
where ingestion_key = $ingestion_key
