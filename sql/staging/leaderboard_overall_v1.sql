-- name: staging/leaderboard_overall_v1
-- purpose: Creates the view `staging.leaderboard_overall`: how an approach did over all measured datasets. Every input
--   is
--   the rounded number of one dataset; rounding rounded values is intended (evaluation contract 7.1).
-- grain: tier, approach
-- reads: staging.leaderboard_records
-- order: none
-- nulls: means and ranks are null when nothing was measured
-- since: 0.1.0
create or replace view staging.leaderboard_overall as
with
pooled as (
    select
        tier,
        approach,
        min(base_family) as base_family,
        min(maturity) as maturity,
        count(*) as datasets_n,
        r6(exact_mean(judge_mean)) as judge_macro_mean,
        r6(
            exact_sum(judge_mean * judge_evaluated)
            / nullif(sum(judge_evaluated) filter (where judge_mean is not null), 0)
        ) as judge_weighted_mean,
        sum(judge_evaluated) as judge_evaluated,
        sum(judge_total) as judge_total,
        sum(judge_errors) as judge_errors,
        r6(
            exact_sum(judge_disagreement * judge_disagreement_evaluated)
            / nullif(sum(judge_disagreement_evaluated) filter (where judge_disagreement is not null), 0)
        ) as judge_disagreement,
        sum(judge_disagreement_evaluated) as judge_disagreement_evaluated,
        r6(exact_mean(judge_rank)) as mean_dataset_rank,
        min(judge_rank) as best_dataset_rank,
        max(judge_rank) as worst_dataset_rank,
        sum(query_wins) as query_wins,
        r6(
            exact_sum(answer_relevancy_mean * answer_relevancy_evaluated)
            / nullif(sum(answer_relevancy_evaluated) filter (where answer_relevancy_mean is not null), 0)
        ) as answer_relevancy_mean,
        sum(answer_relevancy_evaluated) as answer_relevancy_evaluated,
        sum(answer_relevancy_total) as answer_relevancy_total,
        sum(answer_relevancy_not_evaluable) as answer_relevancy_not_evaluable,
        sum(answer_relevancy_errors) as answer_relevancy_errors,
        sum(answer_relevancy_timeouts) as answer_relevancy_timeouts,
        r6(
            exact_sum(faithfulness_mean * faithfulness_evaluated)
            / nullif(sum(faithfulness_evaluated) filter (where faithfulness_mean is not null), 0)
        ) as faithfulness_mean,
        sum(faithfulness_evaluated) as faithfulness_evaluated,
        sum(faithfulness_total) as faithfulness_total,
        sum(faithfulness_not_evaluable) as faithfulness_not_evaluable,
        sum(faithfulness_errors) as faithfulness_errors,
        sum(faithfulness_timeouts) as faithfulness_timeouts,
        r6(
            exact_sum(mean_latency_ms * successful)
            / nullif(sum(successful) filter (where mean_latency_ms is not null), 0)
        ) as mean_latency_ms,
        sum(successful) as successful,
        sum(attempted) as attempted,
        r6(cast(sum(errors) + sum(timeouts) as double) / nullif(sum(attempted), 0)) as error_rate,
        sum(errors) as errors,
        sum(timeouts) as timeouts
    from staging.leaderboard_records
    group by tier, approach
)
select
    pooled.tier,
    case
        when pooled.judge_macro_mean is not null
            then rank() over (partition by pooled.tier order by pooled.judge_macro_mean desc nulls last)
    end as overall_rank,
    pooled.approach,
    pooled.base_family,
    pooled.maturity,
    pooled.datasets_n,
    pooled.judge_macro_mean,
    pooled.judge_weighted_mean,
    cast(pooled.judge_evaluated as bigint) as judge_evaluated,
    cast(pooled.judge_total as bigint) as judge_total,
    cast(pooled.judge_errors as bigint) as judge_errors,
    pooled.judge_disagreement,
    cast(pooled.judge_disagreement_evaluated as bigint) as judge_disagreement_evaluated,
    pooled.mean_dataset_rank,
    pooled.best_dataset_rank,
    pooled.worst_dataset_rank,
    cast(pooled.query_wins as bigint) as query_wins,
    pooled.answer_relevancy_mean,
    cast(pooled.answer_relevancy_evaluated as bigint) as answer_relevancy_evaluated,
    cast(pooled.answer_relevancy_total as bigint) as answer_relevancy_total,
    cast(pooled.answer_relevancy_not_evaluable as bigint) as answer_relevancy_not_evaluable,
    cast(pooled.answer_relevancy_errors as bigint) as answer_relevancy_errors,
    cast(pooled.answer_relevancy_timeouts as bigint) as answer_relevancy_timeouts,
    pooled.faithfulness_mean,
    cast(pooled.faithfulness_evaluated as bigint) as faithfulness_evaluated,
    cast(pooled.faithfulness_total as bigint) as faithfulness_total,
    cast(pooled.faithfulness_not_evaluable as bigint) as faithfulness_not_evaluable,
    cast(pooled.faithfulness_errors as bigint) as faithfulness_errors,
    cast(pooled.faithfulness_timeouts as bigint) as faithfulness_timeouts,
    pooled.mean_latency_ms,
    cast(pooled.successful as bigint) as successful,
    cast(pooled.attempted as bigint) as attempted,
    pooled.error_rate,
    cast(pooled.errors as bigint) as errors,
    cast(pooled.timeouts as bigint) as timeouts
from pooled;
