-- name: engine/roomy
-- purpose: Widens the bound on memory while evidence is loaded whose rows are too large for it: a checkpoint holds the texts of a whole row group.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
set memory_limit = '4GB';
