-- name: reports/cell_index_v1
-- purpose: Lists every stored cell with how it ended.
-- grain: row_id
-- reads: cells
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- column: row_id (varchar): the cell
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: question_id (varchar): the question
-- column: approach (varchar): the approach
-- column: status (varchar): ok, error or timeout
-- order: run_id, dataset_id, question_id, approach, row_id
-- nulls: never
-- since: 0.1.0
select cells.row_id, cells.run_id, cells.dataset_id, cells.question_id, cells.approach, cells.status
from cells
where $source_file is null or cells.source_file = $source_file
order by cells.run_id, cells.dataset_id, cells.question_id, cells.approach, cells.row_id
