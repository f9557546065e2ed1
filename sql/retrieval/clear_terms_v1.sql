-- name: retrieval/clear_terms_v1
-- purpose: Removes the terms of a job
-- grain: term
-- reads: terms
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from terms
where ingestion_key = $ingestion_key
