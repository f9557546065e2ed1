-- name: ingest/forget_relevant_documents_v1
-- purpose: Forgets which documents of a dataset are relevant.
-- grain: none
-- reads: store.relevant_document
-- param: dataset_id (varchar, required): the dataset
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.relevant_document where dataset_id = $dataset_id
