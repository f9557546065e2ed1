-- name: ingest/remove/judge_mean_v1
-- purpose: Forgets what was read from a file, in store.judge_mean.
-- grain: none
-- reads: store.judge_mean
-- param: file_id (integer, required): the file
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.judge_mean where file_id = $file_id
