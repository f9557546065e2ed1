-- name: checks/fail_leaderboard_snapshots_load_v1
-- purpose: Finds snapshots that cannot be read or are no JSON objects (evaluation contract 7.1, 6).
-- grain: one finding
-- reads: site.problem, site.dataset
-- column: dataset_id (varchar): the dataset
-- column: tier (varchar): base or flavors
-- column: message (varchar): what is wrong, with what is missing or unexpected
-- order: dataset_id, tier, message
-- nulls: dataset_id and tier are null when the finding belongs to no single one
-- since: 0.1.0
select problem.dataset_id, problem.tier, problem.message
from site.problem as problem
inner join site.dataset as dataset on dataset.dataset_id = problem.dataset_id and dataset.status = 'measured'
where problem.step = 6
order by problem.dataset_id, problem.tier, problem.message
