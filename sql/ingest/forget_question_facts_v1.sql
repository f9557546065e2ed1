-- name: ingest/forget_question_facts_v1
-- purpose: Forgets what question files said about a dataset.
-- grain: none
-- reads: store.question_fact
-- param: dataset_id (varchar, required): the dataset
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.question_fact where dataset_id = $dataset_id
