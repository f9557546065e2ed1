-- name: reports/run_scopes_v1
-- purpose: Says which approaches a run asked about which datasets.
-- grain: dataset_id
-- reads: cells
-- param: run_id (varchar, required): the run
-- column: dataset_id (varchar): the dataset
-- column: questions_n (bigint, questions): questions asked
-- column: approaches (varchar): the approaches, separated by commas
-- order: dataset_id
-- nulls: never
-- since: 0.1.0
with
approach as (
    select distinct dataset_id, approach from cells where run_id = $run_id
),
named as (
    select dataset_id, string_agg(approach, ', ' order by approach) as approaches from approach group by dataset_id
),
asked as (
    select dataset_id, count(distinct question_id) as questions_n from cells where run_id = $run_id group by dataset_id
)
select named.dataset_id, asked.questions_n, named.approaches
from named
inner join asked on asked.dataset_id = named.dataset_id
order by named.dataset_id
