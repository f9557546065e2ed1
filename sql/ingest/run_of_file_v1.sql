-- name: ingest/run_of_file_v1
-- purpose: Names the run whose rows an evidence file holds, when they are all of one run.
-- grain: none
-- reads: store.cell, store.file
-- param: path (varchar, required): the evidence file
-- column: run_id (varchar): the run
-- order: none
-- nulls: never
-- since: 0.1.0
select any_value(cell.run_id) as run_id
from store.cell as cell
inner join store.file as file on file.file_id = cell.file_id
where file.path = $path
having count(distinct cell.run_id) = 1
