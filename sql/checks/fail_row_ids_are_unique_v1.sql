-- name: checks/fail_row_ids_are_unique_v1
-- purpose: Finds cells that are stored more than once.
-- grain: row_id
-- reads: cells
-- column: row_id (varchar): the identity
-- column: rows_n (bigint, rows): how often it is stored
-- order: row_id
-- nulls: never
-- since: 0.1.0
select cells.row_id, count(*) as rows_n
from cells
group by cells.row_id
having count(*) > 1
order by cells.row_id
