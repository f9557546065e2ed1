-- name: engine/console
-- purpose: Gives a question from the console more memory than a page needs; it is the most that it may take.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
set memory_limit = '1GB';
