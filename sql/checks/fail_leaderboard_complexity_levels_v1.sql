-- name: checks/fail_leaderboard_complexity_levels_v1
-- purpose: Finds catalogue entries, candidates included, without a complexity level of 1 or more (evaluation contract
--   7.1, 5).
-- grain: dataset_id
-- reads: site.dataset
-- column: dataset_id (varchar): the dataset
-- column: tier (varchar): base or flavors
-- column: message (varchar): what is wrong, with what is missing or unexpected
-- order: dataset_id, tier, message
-- nulls: dataset_id and tier are null when the finding belongs to no single one
-- since: 0.1.0
select
    dataset.dataset_id,
    cast(null as varchar) as tier,
    concat(
        'dataset `',
        dataset.dataset_id,
        '` has the complexity level `',
        coalesce(cast(dataset.complexity_level as varchar), 'none'),
        '`, expected 1 or more'
    ) as message
from site.dataset as dataset
where coalesce(dataset.complexity_level, 0) < 1
order by dataset.dataset_id, tier, message
