-- name: checks/fail_leaderboard_dataset_ids_v1
-- purpose: Finds catalogue entries without a name, or with one that another entry has (evaluation contract 7.1, 1).
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
    case
        when trim(dataset.dataset_id) = '' then 'a dataset of the catalogue has a blank id'
        else concat('dataset `', dataset.dataset_id, '` stands ', cast(count(*) as varchar), ' times in the catalogue')
    end as message
from site.dataset as dataset
group by dataset.dataset_id
having count(*) > 1 or trim(dataset.dataset_id) = ''
order by dataset.dataset_id, tier, message
