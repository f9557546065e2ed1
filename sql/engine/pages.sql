-- name: engine/pages
-- purpose: Gives pages, which put whole answers side by side, more memory than other questions; with the program itself that is below 1 GB.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.2.0
set memory_limit = '768MB';
