-- name: engine/exporting
-- purpose: Leaves memory to whoever encodes the rows: an export asks for small ranges of lines, which need little of it.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.2.0
set memory_limit = '176MB';
