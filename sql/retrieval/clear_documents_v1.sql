-- name: retrieval/clear_documents_v1
-- purpose: Removes the documents of a job
-- grain: document
-- reads: documents
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from documents
where ingestion_key = $ingestion_key
