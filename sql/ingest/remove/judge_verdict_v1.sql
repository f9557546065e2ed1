-- name: ingest/remove/judge_verdict_v1
-- purpose: Forgets what was read from a file, in store.judge_verdict.
-- grain: none
-- reads: store.judge_verdict
-- param: file_id (integer, required): the file
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.judge_verdict where file_id = $file_id
