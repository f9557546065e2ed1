-- name: metrics/stat_pair_bounds_v1
-- purpose: Bounds the mean difference of two approaches over all eligible questions, whatever the missing scores are
--   (statistics contract, section 1). Without an assumption, pairing tightens nothing: both pairs of bounds are given.
-- grain: run_id, dataset_id, metric, approach_a, approach_b
-- reads: metric_cells, metric_cards
-- param: run_id (varchar, default null): only this run; null takes all, each on its own
-- param: dataset_id (varchar, default null): only this dataset; null takes all, each on its own
-- param: metric (varchar, default null): only this metric; null takes all
-- param: both_missing (varchar, default "free"): free, or equal to take scores that both miss as equal
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: metric (varchar): the metric
-- column: approach_a (varchar): the first approach by name
-- column: approach_b (varchar): the second
-- column: shared_n (bigint, questions): questions that both have a score for
-- column: eligible_n (bigint, questions): questions the metric can apply to for anybody
-- column: lower (double): smallest mean of a less b, question by question
-- column: upper (double): largest mean of a less b
-- column: naive_lower (double): lower bound of a less upper bound of b
-- column: naive_upper (double): upper bound of a less lower bound of b
-- order: run_id, dataset_id, metric, approach_a, approach_b
-- nulls: a bound is null when a missing score has no limit on its side
-- since: 0.1.0
with
scoped as (
    select
        metric_cells.run_id, metric_cells.dataset_id, metric_cells.metric, metric_cells.approach,
        metric_cells.question_id,
        cast(metric_cells.score as decimal(38, 18)) as score,
        cast(metric_cards.low as decimal(38, 18)) as low,
        cast(metric_cards.high as decimal(38, 18)) as high
    from metric_cells
    inner join metric_cards on metric_cards.metric = metric_cells.metric
    where
        metric_cells.is_eligible
        and metric_cells.is_applicable
        and ($run_id is null or metric_cells.run_id = $run_id)
        and ($dataset_id is null or metric_cells.dataset_id = $dataset_id)
        and ($metric is null or metric_cells.metric = $metric)
),
paired as (
    select
        one.run_id, one.dataset_id, one.metric, one.approach as approach_a, two.approach as approach_b,
        one.score is not null and two.score is not null as is_shared,
        case
            when one.score is null and two.score is null and $both_missing = 'equal' then 0
            else coalesce(one.score, one.low) - coalesce(two.score, two.high)
        end as smallest,
        case
            when one.score is null and two.score is null and $both_missing = 'equal' then 0
            else coalesce(one.score, one.high) - coalesce(two.score, two.low)
        end as largest,
        coalesce(one.score, one.low) as a_low,
        coalesce(one.score, one.high) as a_high,
        coalesce(two.score, two.low) as b_low,
        coalesce(two.score, two.high) as b_high
    from scoped as one
    inner join scoped as two
        on two.run_id = one.run_id
        and two.dataset_id = one.dataset_id
        and two.metric = one.metric
        and two.question_id = one.question_id
        and two.approach > one.approach
),
summed as (
    select
        run_id, dataset_id, metric, approach_a, approach_b,
        count(*) as eligible_n,
        count(*) filter (where is_shared) as shared_n,
        case when count(smallest) = count(*) then cast(sum(smallest) as double) end as lower_sum,
        case when count(largest) = count(*) then cast(sum(largest) as double) end as upper_sum,
        case when count(a_low - b_high) = count(*) then cast(sum(a_low) - sum(b_high) as double) end as naive_lower_sum,
        case when count(a_high - b_low) = count(*) then cast(sum(a_high) - sum(b_low) as double) end as naive_upper_sum
    from paired
    group by run_id, dataset_id, metric, approach_a, approach_b
)
select
    summed.run_id,
    summed.dataset_id,
    summed.metric,
    summed.approach_a,
    summed.approach_b,
    summed.shared_n,
    summed.eligible_n,
    summed.lower_sum / summed.eligible_n as lower,
    summed.upper_sum / summed.eligible_n as upper,
    summed.naive_lower_sum / summed.eligible_n as naive_lower,
    summed.naive_upper_sum / summed.eligible_n as naive_upper
from summed
order by summed.run_id, summed.dataset_id, summed.metric, summed.approach_a, summed.approach_b
