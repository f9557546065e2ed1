-- name: asking/partitions_v1
-- purpose: Lists the datasets and runs that rows exist for.
-- grain: dataset_id, run_id
-- reads: cells
-- param: runs (varchar, default null): JSON list of the runs wanted; null takes all
-- column: dataset_id (varchar): the dataset
-- column: run_id (varchar): the run
-- order: dataset_id, run_id
-- nulls: never
-- since: 0.2.0
select distinct cells.dataset_id, cells.run_id
from cells
where $runs is null or list_contains(cast(cast($runs as json) as varchar[]), cells.run_id)
order by cells.dataset_id, cells.run_id
