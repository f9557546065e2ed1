-- name: checks/fail_leaderboard_judge_summary_v1
-- purpose: Finds judge blocks of an evaluation that do not follow from the judgments (evaluation contract 7.1, 10).
-- grain: one finding
-- reads: site.problem, site.dataset, site.evaluation_approach, site.panel_question, site.panel_mean
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
    group by question.dataset_id, question.tier
),
scored as (
    select mean.dataset_id, mean.tier, mean.approach, count(*) as means_n, r6(exact_mean(mean.mean)) as mean
    from site.panel_mean as mean
    group by mean.dataset_id, mean.tier, mean.approach
),
block as (
    select
        found.dataset_id,
        found.tier,
        concat('dataset `', found.dataset_id, '`, `', found.approach, '`, judge_panel: ') as place,
        found.judge_mean,
        found.judge_evaluated,
        found.judge_total,
        found.judge_coverage,
        coalesce(judged.questions_n, 0) as questions_n,
        coalesce(scored.means_n, 0) as means_n,
        scored.mean as expected_mean
    from site.evaluation_approach as found
    inner join site.dataset as dataset on dataset.dataset_id = found.dataset_id and dataset.status = 'measured'
    left join judged on judged.dataset_id = found.dataset_id and judged.tier = found.tier
    left join scored
        on scored.dataset_id = found.dataset_id
        and scored.tier = found.tier
        and scored.approach = found.approach
),
finding as (
    select
        problem.dataset_id,
        problem.tier,
        concat('dataset `', problem.dataset_id, '`, ', problem.tier, ' tier, ', problem.place, ': ', problem.message)
            as message
    from site.problem as problem
    inner join site.dataset as dataset on dataset.dataset_id = problem.dataset_id and dataset.status = 'measured'
    where problem.step = 10
    union all
    select
        block.dataset_id,
        block.tier,
        concat(
            block.place,
            cast(block.judge_evaluated as varchar),
            ' evaluated of ',
            cast(block.judge_total as varchar)
        ) as message
    from block
    where block.judge_evaluated > block.judge_total
    union all
    select
        block.dataset_id,
        block.tier,
        concat(
            block.place,
            'the total is ',
            cast(block.judge_total as varchar),
            ', but ',
            cast(block.questions_n as varchar),
            ' questions were judged'
        ) as message
    from block
    where block.judge_total <> block.questions_n
    union all
    select
        block.dataset_id,
        block.tier,
        concat(
            block.place,
            cast(block.judge_evaluated as varchar),
            ' evaluated, but ',
            cast(block.means_n as varchar),
            ' judged questions have scores'
        ) as message
    from block
    where block.judge_evaluated <> block.means_n
    union all
    select
        block.dataset_id,
        block.tier,
        concat(
            block.place,
            'the mean is ',
            coalesce(cast(block.judge_mean as varchar), 'null'),
            ', but the judgments give ',
            coalesce(cast(block.expected_mean as varchar), 'null')
        ) as message
    from block
    where block.judge_mean is distinct from block.expected_mean
    union all
    select
        block.dataset_id,
        block.tier,
        concat(
            block.place,
            'the coverage ',
            cast(block.judge_coverage as varchar),
            ' is not evaluated / total'
        ) as message
    from block
    where block.judge_coverage
        <> case when block.judge_total = 0 then 0.0 else r6(cast(block.judge_evaluated as double) / block.judge_total) end
)

select finding.dataset_id, finding.tier, finding.message
from finding
order by finding.dataset_id, finding.tier, finding.message
