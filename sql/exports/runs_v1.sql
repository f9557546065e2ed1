-- name: exports/runs_v1
-- purpose: Gives what each run covered and how it went.
-- grain: run_id
-- reads: runs
-- param: runs (varchar, default null): JSON list of the runs wanted; null takes all
-- column: run_id (varchar): names the run
-- column: cells_n (bigint, cells): rows on disk
-- column: ok_n (bigint, cells): rows with an answer
-- column: errors_n (bigint, cells): rows that ended in an error
-- column: timeouts_n (bigint, cells): rows that ran out of time
-- column: datasets_n (bigint, datasets): datasets asked about
-- column: approaches_n (bigint, approaches): approaches and flavors called
-- column: runner_version (bigint): lowest version of the rules that made its rows
-- order: run_id
-- nulls: never
-- since: 0.2.0
select
    runs.run_id,
    runs.cells_n,
    runs.ok_n,
    runs.errors_n,
    runs.timeouts_n,
    runs.datasets_n,
    runs.approaches_n,
    runs.runner_version
from runs
where $runs is null or list_contains(cast(cast($runs as json) as varchar[]), runs.run_id)
order by runs.run_id
