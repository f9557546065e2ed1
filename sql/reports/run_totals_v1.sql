-- name: reports/run_totals_v1
-- purpose: Counts what there is to ask about.
-- grain: one row
-- reads: cells
-- column: rows_n (bigint, rows): canonical rows
-- column: runs_n (bigint, runs): runs they belong to
-- order: none
-- nulls: never
-- since: 0.2.0
select count(*) as rows_n, count(distinct cells.run_id) as runs_n
from cells
