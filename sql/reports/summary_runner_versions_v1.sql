-- name: reports/summary_runner_versions_v1
-- purpose: Lists the versions of the rules that made the rows of a summary.
-- grain: runner_version
-- reads: cells
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- column: runner_version (bigint, 1 or more): the version
-- order: runner_version
-- nulls: never
-- since: 0.1.0
select distinct cells.runner_version
from cells
where cells.runner_version is not null and ($source_file is null or cells.source_file = $source_file)
order by cells.runner_version
