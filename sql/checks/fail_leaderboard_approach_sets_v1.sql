-- name: checks/fail_leaderboard_approach_sets_v1
-- purpose: Finds evaluation snapshots of other datasets, or of other approaches than the manifest lists (evaluation
--   contract 7.1, 7).
-- grain: one finding
-- reads: site.problem, site.dataset, site.snapshot, site.approach, site.evaluation_dataset, site.evaluation_approach
-- column: dataset_id (varchar): the dataset
-- column: tier (varchar): base or flavors
-- column: message (varchar): what is wrong, with what is missing or unexpected
-- order: dataset_id, tier, message
-- nulls: dataset_id and tier are null when the finding belongs to no single one
-- since: 0.1.0
with
expected as (
    select snapshot.dataset_id, snapshot.tier, snapshot.path
    from site.snapshot as snapshot
    inner join site.dataset as dataset on dataset.position = snapshot.position and dataset.status = 'measured'
    where snapshot.kind = 'evaluation' and snapshot.path is not null
),
other_dataset as (
    select
        expected.dataset_id,
        expected.tier,
        string_agg(concat('`', found.found_dataset_id, '`'), ', ' order by found.found_dataset_id) as names
    from expected
    inner join site.evaluation_dataset as found
        on found.dataset_id = expected.dataset_id and found.tier = expected.tier
    where found.found_dataset_id <> expected.dataset_id
    group by expected.dataset_id, expected.tier
),
missing_dataset as (
    select expected.dataset_id, expected.tier
    from expected
    left join site.evaluation_dataset as found
        on found.dataset_id = expected.dataset_id
        and found.tier = expected.tier
        and found.found_dataset_id = expected.dataset_id
    left join site.problem as problem
        on problem.dataset_id = expected.dataset_id and problem.tier = expected.tier and problem.step in (6, 7)
    where found.found_dataset_id is null and problem.step is null
),
measured as (
    select distinct approach.dataset_id, approach.tier
    from site.evaluation_approach as approach
),
missing_approach as (
    select
        measured.dataset_id,
        measured.tier,
        string_agg(concat('`', listed.approach, '`'), ', ' order by listed.approach) as names
    from measured
    inner join (select distinct tier, approach from site.approach) as listed on listed.tier = measured.tier
    left join site.evaluation_approach as found
        on found.dataset_id = measured.dataset_id and found.tier = measured.tier and found.approach = listed.approach
    where found.approach is null
    group by measured.dataset_id, measured.tier
),
unexpected_approach as (
    select
        found.dataset_id,
        found.tier,
        string_agg(concat('`', found.approach, '`'), ', ' order by found.approach) as names
    from site.evaluation_approach as found
    left join site.approach as listed on listed.tier = found.tier and listed.approach = found.approach
    where listed.approach is null
    group by found.dataset_id, found.tier
),
finding as (
    select
        problem.dataset_id,
        problem.tier,
        concat('dataset `', problem.dataset_id, '`, ', problem.tier, ' tier, ', problem.place, ': ', problem.message)
            as message
    from site.problem as problem
    inner join site.dataset as dataset on dataset.dataset_id = problem.dataset_id and dataset.status = 'measured'
    where problem.step = 7
    union all
    select
        other_dataset.dataset_id,
        other_dataset.tier,
        concat(
            'the ', other_dataset.tier, ' evaluation of `', other_dataset.dataset_id, '` holds the unexpected dataset ',
            other_dataset.names
        ) as message
    from other_dataset
    union all
    select
        missing_dataset.dataset_id,
        missing_dataset.tier,
        concat(
            'the ', missing_dataset.tier, ' evaluation of `', missing_dataset.dataset_id, '` lacks that dataset'
        ) as message
    from missing_dataset
    union all
    select
        measured.dataset_id,
        measured.tier,
        concat(
            'the ',
            measured.tier,
            ' evaluation of `',
            measured.dataset_id,
            '` has other approaches than are configured; missing: ',
            coalesce(missing_approach.names, 'none'),
            '; unexpected: ',
            coalesce(unexpected_approach.names, 'none')
        ) as message
    from measured
    inner join site.dataset as dataset on dataset.dataset_id = measured.dataset_id and dataset.status = 'measured'
    left join missing_approach
        on missing_approach.dataset_id = measured.dataset_id and missing_approach.tier = measured.tier
    left join unexpected_approach
        on unexpected_approach.dataset_id = measured.dataset_id and unexpected_approach.tier = measured.tier
    where missing_approach.names is not null or unexpected_approach.names is not null
)

select finding.dataset_id, finding.tier, finding.message
from finding
order by finding.dataset_id, finding.tier, finding.message
