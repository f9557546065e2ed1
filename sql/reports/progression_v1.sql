-- name: reports/progression_v1
-- purpose: Follows each approach over the measured datasets by complexity; a dataset it was not measured on is a row
--   without values.
-- grain: tier, approach, complexity_level, dataset_id
-- reads: site.dataset, staging.panel_scores, staging.leaderboard_records
-- column: tier (varchar): base or flavors
-- column: approach (varchar): the approach or flavor
-- column: complexity_level (bigint, 1 or more): how relational the dataset is
-- column: dataset_id (varchar): the dataset
-- column: judge_text (varchar): mean of the judges with the questions behind it
-- column: faithfulness_text (varchar): mean faithfulness with coverage
-- column: answer_relevancy_text (varchar): mean answer relevancy with coverage
-- column: latency_text (varchar): mean latency with coverage
-- column: reason (varchar): why something is missing
-- order: tier, approach, complexity_level, dataset_id
-- nulls: texts are null where nothing was measured; reason is null when nothing is missing
-- since: 0.1.0
with
contender as (
    select scores.tier, scores.approach
    from staging.panel_scores as scores
    union
    select record.tier, record.approach
    from staging.leaderboard_records as record
),
grid as (
    select contender.tier, contender.approach, dataset.dataset_id, dataset.complexity_level
    from contender
    cross join site.dataset as dataset
    where dataset.status = 'measured'
)
select
    grid.tier,
    grid.approach,
    grid.complexity_level,
    grid.dataset_id,
    case
        when scores.score is not null
            then concat(fixed2(scores.score), ' (', cast(scores.questions_n as varchar), ' judged)')
    end as judge_text,
    case
        when record.faithfulness_mean is not null
            then concat(
                fixed3(record.faithfulness_mean),
                ' (',
                cast(record.faithfulness_evaluated as varchar),
                '/',
                cast(record.faithfulness_total as varchar),
                ')'
            )
    end as faithfulness_text,
    case
        when record.answer_relevancy_mean is not null
            then concat(
                fixed3(record.answer_relevancy_mean),
                ' (',
                cast(record.answer_relevancy_evaluated as varchar),
                '/',
                cast(record.answer_relevancy_total as varchar),
                ')'
            )
    end as answer_relevancy_text,
    case
        when record.mean_latency_ms is not null
            then concat(
                fixed0(record.mean_latency_ms),
                ' ms (',
                cast(record.successful as varchar),
                '/',
                cast(record.attempted as varchar),
                ')'
            )
    end as latency_text,
    nullif(
        concat_ws(
            '; ',
            case
                when scores.score is null and record.approach is null then 'not measured on this dataset'
                when record.approach is null then 'judgments only: no evaluation was published'
                when scores.score is null then 'no judge scored it'
            end,
            case
                when record.faithfulness_mean is not null or record.approach is null then null
                when record.faithfulness_not_evaluable = record.faithfulness_total
                    then 'faithfulness cannot apply: no contexts are returned'
                else 'every faithfulness score failed'
            end,
            case
                when record.answer_relevancy_mean is not null or record.approach is null then null
                when record.answer_relevancy_not_evaluable = record.answer_relevancy_total
                    then 'answer relevancy cannot apply'
                else 'every answer relevancy score failed'
            end,
            case
                when record.mean_latency_ms is null and record.approach is not null then 'no row was answered'
            end
        ),
        ''
    ) as reason
from grid
left join staging.panel_scores as scores
    on scores.tier = grid.tier and scores.approach = grid.approach and scores.dataset_id = grid.dataset_id
left join staging.leaderboard_records as record
    on record.tier = grid.tier and record.approach = grid.approach and record.dataset_id = grid.dataset_id
order by grid.tier, grid.approach, grid.complexity_level, grid.dataset_id
