-- name: reports/run_names_v1
-- purpose: Lists the metrics, approaches and datasets of two runs, for whoever misspelt one.
-- grain: kind, name
-- reads: metric_cells
-- param: baseline_run_id (varchar, required): the earlier run
-- param: candidate_run_id (varchar, required): the later one
-- column: kind (varchar): metric, approach or dataset
-- column: name (varchar): what it is called
-- order: kind, name
-- nulls: never
-- since: 0.1.0
with
held as (
    select distinct metric, approach, dataset_id
    from metric_cells
    where run_id in ($baseline_run_id, $candidate_run_id)
)
select 'metric' as kind, metric as name from held
union
select 'approach', approach from held
union
select 'dataset', dataset_id from held
order by kind, name
