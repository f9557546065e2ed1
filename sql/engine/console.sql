-- name: engine/console
-- purpose: Gives a question from the console more memory than a page needs. It is the most that the engine works with; the rows
--   it hands over are cut by the console.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
set memory_limit = '1GB';
