-- name: checks/fail_errors_have_reasons_v1
-- purpose: Finds failed cells without a reason, and answered cells with one.
-- grain: row_id
-- reads: cells
-- column: row_id (varchar): the cell
-- column: status (varchar): how it ended
-- column: error_type (varchar): the reason it carries
-- order: row_id
-- nulls: error_type is null where the row has none
-- since: 0.1.0
select cells.row_id, cells.status, cells.error_type
from cells
where (cells.status = 'ok') = (cells.error_type is not null)
order by cells.row_id
