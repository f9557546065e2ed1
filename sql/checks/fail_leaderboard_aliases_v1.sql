-- name: checks/fail_leaderboard_aliases_v1
-- purpose: Finds flavors named like a base approach, or of a base approach that is not listed (evaluation contract
--   7.1, 4).
-- grain: one finding
-- reads: site.approach
-- column: dataset_id (varchar): the dataset
-- column: tier (varchar): base or flavors
-- column: message (varchar): what is wrong, with what is missing or unexpected
-- order: dataset_id, tier, message
-- nulls: dataset_id and tier are null when the finding belongs to no single one
-- since: 0.1.0
with
base as (
    select distinct approach.approach
    from site.approach as approach
    where approach.tier = 'base'
),
finding as (
    select concat('flavor `', flavor.approach, '` has the name of a base approach') as message
    from site.approach as flavor
    inner join base on base.approach = flavor.approach
    where flavor.tier = 'flavors'
    union all
    select
        concat(
            'flavor `', flavor.approach, '` rests on `', flavor.base_family, '`, which is no base approach'
        ) as message
    from site.approach as flavor
    left join base on base.approach = flavor.base_family
    where flavor.tier = 'flavors' and base.approach is null
)
select cast(null as varchar) as dataset_id, 'flavors' as tier, finding.message
from finding
order by dataset_id, tier, finding.message
