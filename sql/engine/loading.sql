-- name: engine/loading
-- purpose: Bounds the memory of a connection that loads evidence: a portion of rows and a checkpoint fit into it.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.2.0
set memory_limit = '160MB';
