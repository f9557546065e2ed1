-- name: checks/fail_leaderboard_measures_v1
-- purpose: Finds metric and operational blocks whose counters or means contradict each other (evaluation contract 7.1,
--   8).
-- grain: one finding
-- reads: site.problem, site.dataset, site.evaluation_metric, site.evaluation_approach
-- column: dataset_id (varchar): the dataset
-- column: tier (varchar): base or flavors
-- column: message (varchar): what is wrong, with what is missing or unexpected
-- order: dataset_id, tier, message
-- nulls: dataset_id and tier are null when the finding belongs to no single one
-- since: 0.1.0
with
metric as (
    select found.*
    from site.evaluation_metric as found
    inner join site.dataset as dataset on dataset.dataset_id = found.dataset_id and dataset.status = 'measured'
),
operational as (
    select found.*
    from site.evaluation_approach as found
    inner join site.dataset as dataset on dataset.dataset_id = found.dataset_id and dataset.status = 'measured'
),
finding as (
    select
        problem.dataset_id,
        problem.tier,
        concat('dataset `', problem.dataset_id, '`, ', problem.tier, ' tier, ', problem.place, ': ', problem.message)
            as message
    from site.problem as problem
    inner join site.dataset as dataset on dataset.dataset_id = problem.dataset_id and dataset.status = 'measured'
    where problem.step = 8
    union all
    select
        metric.dataset_id,
        metric.tier,
        concat(
            'dataset `',
            metric.dataset_id,
            '`, `',
            metric.approach,
            '`, ',
            metric.metric,
            ': ',
            cast(metric.evaluated as varchar),
            ' evaluated of ',
            cast(metric.total as varchar)
        ) as message
    from metric
    where metric.evaluated > metric.total
    union all
    select
        metric.dataset_id,
        metric.tier,
        concat(
            'dataset `',
            metric.dataset_id,
            '`, `',
            metric.approach,
            '`, ',
            metric.metric,
            ': ',
            'the counters add up to ',
            cast(metric.evaluated + metric.not_evaluable + metric.errors + metric.timeouts as varchar),
            ', not to the total ',
            cast(metric.total as varchar)
        ) as message
    from metric
    where metric.evaluated + metric.not_evaluable + metric.errors + metric.timeouts <> metric.total
    union all
    select
        metric.dataset_id,
        metric.tier,
        concat(
            'dataset `',
            metric.dataset_id,
            '`, `',
            metric.approach,
            '`, ',
            metric.metric,
            ': ',
            'the mean is ',
            coalesce(cast(metric.mean as varchar), 'null'),
            ' with ',
            cast(metric.evaluated as varchar),
            ' evaluated'
        ) as message
    from metric
    where (metric.mean is null) <> (metric.evaluated = 0)
    union all
    select
        metric.dataset_id,
        metric.tier,
        concat(
            'dataset `',
            metric.dataset_id,
            '`, `',
            metric.approach,
            '`, ',
            metric.metric,
            ': ',
            'the mean ',
            cast(metric.mean as varchar),
            ' lies outside 0 to 1'
        ) as message
    from metric
    where metric.mean < 0 or metric.mean > 1
    union all
    select
        metric.dataset_id,
        metric.tier,
        concat(
            'dataset `',
            metric.dataset_id,
            '`, `',
            metric.approach,
            '`, ',
            metric.metric,
            ': ',
            'the coverage ',
            cast(metric.coverage as varchar),
            ' is not evaluated / total'
        ) as message
    from metric
    where metric.coverage <>
        case when metric.total = 0 then 0.0 else r6(cast(metric.evaluated as double) / metric.total) end
    union all
    select
        operational.dataset_id,
        operational.tier,
        concat(
            'dataset `',
            operational.dataset_id,
            '`, `',
            operational.approach,
            '`: ',
            'successful, errors and timeouts add up to ',
            cast(operational.successful + operational.errors + operational.timeouts as varchar),
            ', not to ',
            cast(operational.attempted as varchar),
            ' attempted'
        ) as message
    from operational
    where operational.successful + operational.errors + operational.timeouts <> operational.attempted
    union all
    select
        operational.dataset_id,
        operational.tier,
        concat(
            'dataset `',
            operational.dataset_id,
            '`, `',
            operational.approach,
            '`: ',
            'the mean latency is ',
            coalesce(cast(operational.mean_latency_ms as varchar), 'null'),
            ' with ',
            cast(operational.successful as varchar),
            ' successful'
        ) as message
    from operational
    where (operational.mean_latency_ms is null) <> (operational.successful = 0)
    union all
    select
        operational.dataset_id,
        operational.tier,
        concat(
            'dataset `',
            operational.dataset_id,
            '`, `',
            operational.approach,
            '`: ',
            'the mean latency ',
            cast(operational.mean_latency_ms as varchar),
            ' is negative'
        ) as message
    from operational
    where operational.mean_latency_ms < 0
    union all
    select
        operational.dataset_id,
        operational.tier,
        concat(
            'dataset `',
            operational.dataset_id,
            '`, `',
            operational.approach,
            '`: ',
            'the error rate ',
            coalesce(cast(operational.error_rate as varchar), 'null'),
            ' is not (errors + timeouts) / attempted'
        ) as message
    from operational
    where operational.error_rate is distinct from
        case when operational.attempted > 0 then r6(cast(operational.errors + operational.timeouts as double) / operational.attempted) end
)

select finding.dataset_id, finding.tier, finding.message
from finding
order by finding.dataset_id, finding.tier, finding.message
