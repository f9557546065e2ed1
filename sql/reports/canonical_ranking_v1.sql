-- name: reports/canonical_ranking_v1
-- purpose: Ranks the base approaches of each measured dataset by faithfulness, answer relevancy and latency, with
--   coverage.
-- grain: measure, dataset_id, place
-- reads: staging.leaderboard_records
-- column: measure (varchar): faithfulness, answer_relevancy or latency
-- column: dataset_id (varchar): the dataset
-- column: complexity_level (bigint, 1 or more): how relational it is
-- column: place (bigint, 1 or more): place in the order
-- column: approach (varchar): the approach
-- column: value_text (varchar): the mean as people read it
-- column: part (bigint, rows): rows behind it
-- column: whole (bigint, rows): all rows
-- order: measure, complexity_level, dataset_id, place
-- nulls: never
-- since: 0.1.0
with
record as (
    select
        found.dataset_id,
        found.complexity_level,
        found.approach,
        found.faithfulness_mean,
        found.faithfulness_evaluated,
        found.faithfulness_total,
        found.answer_relevancy_mean,
        found.answer_relevancy_evaluated,
        found.answer_relevancy_total,
        found.mean_latency_ms,
        found.successful,
        found.attempted
    from staging.leaderboard_records as found
    where found.tier = 'base'
),
measured as (
    select
        'faithfulness' as measure,
        record.dataset_id,
        record.complexity_level,
        record.approach,
        -record.faithfulness_mean as sort_key,
        fixed3(record.faithfulness_mean) as value_text,
        record.faithfulness_evaluated as part,
        record.faithfulness_total as whole
    from record
    where record.faithfulness_mean is not null
    union all
    select
        'answer_relevancy' as measure,
        record.dataset_id,
        record.complexity_level,
        record.approach,
        -record.answer_relevancy_mean as sort_key,
        fixed3(record.answer_relevancy_mean) as value_text,
        record.answer_relevancy_evaluated as part,
        record.answer_relevancy_total as whole
    from record
    where record.answer_relevancy_mean is not null
    union all
    select
        'latency' as measure,
        record.dataset_id,
        record.complexity_level,
        record.approach,
        record.mean_latency_ms as sort_key,
        concat(fixed0(record.mean_latency_ms), ' ms') as value_text,
        record.successful as part,
        record.attempted as whole
    from record
    where record.mean_latency_ms is not null
)
select
    measured.measure,
    measured.dataset_id,
    measured.complexity_level,
    row_number() over (
        partition by measured.measure, measured.dataset_id order by measured.sort_key, measured.approach
    ) as place,
    measured.approach,
    measured.value_text,
    measured.part,
    measured.whole
from measured
order by measured.measure, measured.complexity_level, measured.dataset_id, place
