-- name: ingest/remove/judge_model_v1
-- purpose: Forgets what was read from a file, in store.judge_model.
-- grain: none
-- reads: store.judge_model
-- param: file_id (integer, required): the file
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.judge_model where file_id = $file_id
