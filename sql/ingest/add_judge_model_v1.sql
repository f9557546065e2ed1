-- name: ingest/add_judge_model_v1
-- purpose: Stores the name of a judge.
-- grain: none
-- reads: none
-- param: file_id (integer, required): number of the file in this database
-- param: position (integer, required): its place in the file, from 1
-- param: judge (varchar, required): the model
-- order: none
-- nulls: never
-- since: 0.1.0
insert into store.judge_model (file_id, position, judge)
values ($file_id, $position, $judge)
