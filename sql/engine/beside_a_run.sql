-- name: engine/beside_a_run
-- purpose: Leaves memory to the run that goes on while its warehouse is brought level. What does not fit waits for the end of the run.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.2.0
set memory_limit = '128MB';
