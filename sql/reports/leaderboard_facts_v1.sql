-- name: reports/leaderboard_facts_v1
-- purpose: Counts what each leaderboard covers.
-- grain: tier
-- reads: site.dataset
-- column: tier (varchar): base or flavors
-- column: datasets_n (bigint, datasets): measured datasets
-- order: tier
-- nulls: never
-- since: 0.1.0
select board.tier, count(dataset.dataset_id) as datasets_n
from (values ('base'), ('flavors')) as board (tier)
left join site.dataset as dataset on dataset.status = 'measured'
group by board.tier
order by board.tier
