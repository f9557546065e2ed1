-- name: rankings/leaderboard_judges_v1
-- purpose: Lists what each judge thought of an approach, by dataset and over all measured datasets.
-- grain: tier, scope, dataset_id, approach, judge
-- reads: staging.leaderboard_judges
-- column: tier (varchar): base or flavors
-- column: scope (varchar): dataset or overall
-- column: dataset_id (varchar): the dataset
-- column: approach (varchar): the approach or flavor
-- column: judge (varchar): the judge model
-- column: mean (double, 1..5): mean of its scores, over all datasets weighted by their number
-- column: evaluated (bigint, answers): answers it scored
-- order: tier, scope, dataset_id, approach, judge
-- nulls: dataset_id is null for the whole; mean is null when the judge scored no answer
-- since: 0.1.0
with
pooled as (
    select
        judges.tier,
        'dataset' as scope,
        judges.dataset_id,
        judges.approach,
        judges.judge,
        judges.mean,
        judges.evaluated
    from staging.leaderboard_judges as judges
    union all
    select
        judges.tier,
        'overall' as scope,
        cast(null as varchar) as dataset_id,
        judges.approach,
        judges.judge,
        r6(exact_sum(judges.mean * judges.evaluated) / nullif(sum(judges.evaluated), 0)) as mean,
        cast(sum(judges.evaluated) as bigint) as evaluated
    from staging.leaderboard_judges as judges
    group by judges.tier, judges.approach, judges.judge
)
select pooled.tier, pooled.scope, pooled.dataset_id, pooled.approach, pooled.judge, pooled.mean, pooled.evaluated
from pooled
order by pooled.tier, pooled.scope, pooled.dataset_id nulls last, pooled.approach, pooled.judge
