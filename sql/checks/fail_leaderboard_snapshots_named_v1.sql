-- name: checks/fail_leaderboard_snapshots_named_v1
-- purpose: Finds measured datasets whose catalogue entry lacks a snapshot (evaluation contract 7.1, 2).
-- grain: dataset_id, tier, kind
-- reads: site.dataset, site.snapshot
-- column: dataset_id (varchar): the dataset
-- column: tier (varchar): base or flavors
-- column: message (varchar): what is wrong, with what is missing or unexpected
-- order: dataset_id, tier, message
-- nulls: dataset_id and tier are null when the finding belongs to no single one
-- since: 0.1.0
select
    snapshot.dataset_id,
    snapshot.tier,
    concat(
        'measured dataset `',
        snapshot.dataset_id,
        '` names no ',
        case when snapshot.tier = 'flavors' then 'flavor ' else '' end,
        case when snapshot.kind = 'evaluation' then 'evaluation' else 'judgment' end,
        ' snapshot'
    ) as message
from site.snapshot as snapshot
inner join site.dataset as dataset on dataset.position = snapshot.position and dataset.status = 'measured'
where snapshot.kind in ('evaluation', 'judgments') and coalesce(trim(snapshot.path), '') = ''
order by snapshot.dataset_id, snapshot.tier, message
