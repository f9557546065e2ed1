-- name: engine/reading
-- purpose: Gives questions to a warehouse more memory than loading it needs: they sort, join and take rows apart.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
set memory_limit = '320MB';
