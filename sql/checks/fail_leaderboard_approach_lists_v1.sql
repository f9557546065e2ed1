-- name: checks/fail_leaderboard_approach_lists_v1
-- purpose: Finds manifests that list no base approach, a blank one, or the same one twice (evaluation contract 7.1, 3).
-- grain: one finding
-- reads: site.dataset, site.approach
-- column: dataset_id (varchar): the dataset
-- column: tier (varchar): base or flavors
-- column: message (varchar): what is wrong, with what is missing or unexpected
-- order: dataset_id, tier, message
-- nulls: dataset_id and tier are null when the finding belongs to no single one
-- since: 0.1.0
with
finding as (
    select 'base' as tier, 'the evaluation manifest lists no approach' as message
    from (select count(*) as datasets_n from site.dataset) as catalogue
    where catalogue.datasets_n > 0 and not exists (select 1 from site.approach where approach.tier = 'base')
    union all
    select
        approach.tier,
        case
            when trim(approach.approach) = '' then 'an approach has a blank name'
            else concat(
                case when approach.tier = 'base' then 'approach `' else 'flavor `' end,
                approach.approach,
                '` is listed ',
                cast(count(*) as varchar),
                ' times'
            )
        end as message
    from site.approach as approach
    group by approach.tier, approach.approach
    having count(*) > 1 or trim(approach.approach) = ''
    union all
    select approach.tier, concat('flavor `', approach.approach, '` names no base approach') as message
    from site.approach as approach
    where trim(approach.base_family) = '' and trim(approach.approach) <> ''
)
select cast(null as varchar) as dataset_id, finding.tier, finding.message
from finding
order by dataset_id, finding.tier, finding.message
