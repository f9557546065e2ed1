-- name: metrics/stat_absolute_v1
-- purpose: Compares means with a threshold, by one-sided limits, and coverage with a floor, by counts (statistics contract,
--   section 8).
-- grain: run_id, dataset_id, approach
-- reads: staging.metric_moments, metric_cards
-- param: metric (varchar, required): the metric
-- param: threshold (double, default null): the mean has to reach it, in units of the metric; null checks coverage alone
-- param: run_id (varchar, default null): only this run; null takes all, each on its own
-- param: alpha (double, default 0.05): level of each one-sided limit
-- param: coverage_floor (double, default 0.8): least share of scored questions
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: approach (varchar): the approach
-- column: scored_n (bigint, questions): questions with a score
-- column: eligible_n (bigint, questions): questions the metric can apply to for anybody
-- column: coverage_verdict (varchar): pass or fail
-- column: mean (double): the mean; the geometric mean where logarithms are compared
-- column: lower (double): one-sided lower limit
-- column: upper (double): one-sided upper limit
-- column: verdict (varchar): pass, fail or inconclusive
-- column: reason (varchar): no_threshold, no_scores, one_question or no_spread
-- order: run_id, dataset_id, approach
-- nulls: mean is null without scores; limits are null with a reason
-- since: 0.1.0
with
measured as (
    select
        moments.run_id, moments.dataset_id, moments.approach, moments.n, moments.eligible_n, moments.m, moments.v,
        moments.df, card.low, card.high, card.better, card.scale,
        power($alpha, 1.0e0 / nullif(moments.units_n, 0)) as kept,
        case
            when $threshold is null then 'no_threshold'
            when moments.n = 0 then 'no_scores'
            when moments.n = 1 or moments.units_n = 1 then 'one_question'
            when moments.v is null and card.high is null then 'no_spread'
        end as reason
    from staging.metric_moments as moments
    inner join metric_cards as card on card.metric = moments.metric
    where moments.metric = $metric and ($run_id is null or moments.run_id = $run_id)
),
limited as (
    select
        measured.*,
        case
            when reason is not null then null
            when v is null then low + (m - low) * kept
            else m - t_quantile(1 - $alpha, df) * sqrt(v)
        end as lower_limit,
        case
            when reason is not null then null
            when v is null then high - (high - m) * kept
            else m + t_quantile(1 - $alpha, df) * sqrt(v)
        end as upper_limit
    from measured
),
scaled as (
    select
        limited.*,
        case when scale = 'log' then exp(m) else m end as mean,
        case when scale = 'log' then exp(lower_limit) else lower_limit end as lower,
        case when scale = 'log' then exp(upper_limit) else upper_limit end as upper
    from limited
)
select
    scaled.run_id,
    scaled.dataset_id,
    scaled.approach,
    scaled.n as scored_n,
    scaled.eligible_n,
    case when scaled.n >= $coverage_floor * scaled.eligible_n and scaled.eligible_n > 0 then 'pass' else 'fail' end
        as coverage_verdict,
    scaled.mean,
    scaled.lower,
    scaled.upper,
    case
        when scaled.reason is not null then 'inconclusive'
        when scaled.better = 'higher' and scaled.lower >= $threshold then 'pass'
        when scaled.better = 'higher' and scaled.upper < $threshold then 'fail'
        when scaled.better = 'lower' and scaled.upper <= $threshold then 'pass'
        when scaled.better = 'lower' and scaled.lower > $threshold then 'fail'
        else 'inconclusive'
    end as verdict,
    scaled.reason
from scaled
order by scaled.run_id, scaled.dataset_id, scaled.approach
