-- name: checks/fail_leaderboard_totals_v1
-- purpose: Finds metrics and rows of an evaluation that are not as many as the judged questions (evaluation contract
--   7.1, 11).
-- grain: one finding
-- reads: site.dataset, site.evaluation_approach, site.evaluation_metric, site.panel_question
-- column: dataset_id (varchar): the dataset
-- column: tier (varchar): base or flavors
-- column: message (varchar): what is wrong, with what is missing or unexpected
-- order: dataset_id, tier, message
-- nulls: never
-- since: 0.1.0
with
judged as (
    select question.dataset_id, question.tier, count(*) as questions_n
    from site.panel_question as question
    inner join site.dataset as dataset on dataset.dataset_id = question.dataset_id and dataset.status = 'measured'
    group by question.dataset_id, question.tier
),
total as (
    select metric.dataset_id, metric.tier, metric.approach, metric.metric as what, metric.total
    from site.evaluation_metric as metric
    union all
    select approach.dataset_id, approach.tier, approach.approach, 'attempted rows' as what, approach.attempted as total
    from site.evaluation_approach as approach
)
select
    total.dataset_id,
    total.tier,
    concat(
        'dataset `',
        total.dataset_id,
        '`, `',
        total.approach,
        '`, ',
        total.what,
        ': ',
        cast(total.total as varchar),
        ', but ',
        cast(judged.questions_n as varchar),
        ' questions were judged'
    ) as message
from total
inner join judged on judged.dataset_id = total.dataset_id and judged.tier = total.tier
where total.total <> judged.questions_n
order by total.dataset_id, total.tier, message
