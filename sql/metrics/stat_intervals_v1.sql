-- name: metrics/stat_intervals_v1
-- purpose: Gives every mean an interval: how far it could move with other questions of the same kind (statistics contract,
--   sections 3.1 to 3.4). Nothing about missing scores, other corpora or run-to-run noise.
-- grain: run_id, scope, dataset_id, metric, approach
-- reads: staging.metric_moments, metric_cards
-- param: run_id (varchar, default null): only this run; null takes all, each on its own
-- param: dataset_id (varchar, default null): only this dataset; null takes all
-- param: metric (varchar, default null): only this metric; null takes all
-- param: confidence (double, default 0.95): level of the interval
-- column: run_id (varchar): the run
-- column: scope (varchar): dataset, or overall for the mean of the datasets' means with equal weight
-- column: dataset_id (varchar): the dataset
-- column: metric (varchar): the metric
-- column: approach (varchar): the approach
-- column: mean (double): mean over the scored questions; the geometric mean where logarithms are compared
-- column: scored_n (bigint, questions): questions with a score
-- column: units_n (bigint, units): questions or topics that vary independently; datasets in the overall scope
-- column: method (varchar): t (CR2 variance, Bell-McCaffrey df), wilson, no_spread or macro_t
-- column: se (double): standard error, on the scale of comparison
-- column: df (double): degrees of freedom
-- column: lower (double): lower end of the interval
-- column: upper (double): upper end of the interval
-- column: is_clipped (boolean): whether an end lies outside the range of the metric, so that pages cut it there
-- column: is_rough (boolean): whether there are fewer than 4 effective degrees of freedom
-- column: reason (varchar): no_scores, one_question, one_cluster or no_spread
-- order: run_id, scope, dataset_id, metric, approach
-- nulls: dataset_id is null overall; mean is null without scores; se and df are null unless method is t or macro_t; method and
--   interval are null with a reason
-- since: 0.1.0
with
estimated as (
    select
        moments.run_id, moments.dataset_id, moments.metric, moments.approach,
        metric_cards.low, metric_cards.high, metric_cards.scale, metric_cards.quantum,
        moments.n, moments.units_n as units, moments.m, moments.v, moments.df,
        case
            when moments.n = 0 then 'no_scores'
            when moments.n = 1 then 'one_question'
            when moments.units_n = 1 then 'one_cluster'
            when moments.v is null and metric_cards.quantum < 1 and metric_cards.high is null then 'no_spread'
        end as reason,
        moments.v is not null as has_spread
    from staging.metric_moments as moments
    inner join metric_cards on metric_cards.metric = moments.metric
    where
        moments.eligible_n > 0
        and ($run_id is null or moments.run_id = $run_id)
        and ($dataset_id is null or moments.dataset_id = $dataset_id)
        and ($metric is null or moments.metric = $metric)
),
-- A share keeps its Wilson interval with one question too; topics lower the effective number of questions.
chosen as (
    select
        estimated.*,
        case
            when quantum = 1 and n > 0 then 'wilson'
            when reason is not null then null
            when has_spread then 't'
            else 'no_spread'
        end as method,
        case
            when units = n then cast(n as double)
            when m * (1 - m) = 0 then cast(units as double)
            when v > 0 then least(cast(n as double), m * (1 - m) / v)
            else cast(n as double)
        end as effective_n,
        power((1 - $confidence) / 2, 1.0e0 / nullif(units, 0)) as kept
    from estimated
),
quantile as (
    select norm_ppf((1 + $confidence) / 2) as z
),
dataset_interval as (
    select
        chosen.run_id, 'dataset' as scope, chosen.dataset_id, chosen.metric, chosen.approach,
        chosen.scale, chosen.low, chosen.high, chosen.m, chosen.n, chosen.units, chosen.method, chosen.v, chosen.df,
        case
            when chosen.method = 'wilson' then wilson_lower(chosen.m * chosen.effective_n, chosen.effective_n, quantile.z)
            when chosen.method = 't' then chosen.m - t_quantile((1 + $confidence) / 2, chosen.df) * sqrt(chosen.v)
            when chosen.method = 'no_spread' then chosen.low + (chosen.m - chosen.low) * chosen.kept
        end as lower,
        case
            when chosen.method = 'wilson' then wilson_upper(chosen.m * chosen.effective_n, chosen.effective_n, quantile.z)
            when chosen.method = 't' then chosen.m + t_quantile((1 + $confidence) / 2, chosen.df) * sqrt(chosen.v)
            when chosen.method = 'no_spread' then chosen.high - (chosen.high - chosen.m) * chosen.kept
        end as upper,
        case when chosen.method is null then chosen.reason end as reason
    from chosen
    cross join quantile
),
macro as (
    select
        run_id, metric, approach,
        max(scale) as scale, max(low) as low, max(high) as high,
        count(*) as datasets,
        count(m) as measured,
        cast(sum(n) as bigint) as n,
        decimal_sum(m) / count(m) as m,
        case when count(v) = count(*) then decimal_sum(v) / count(*) / count(*) end as v,
        case
            when count(v) = count(*) and decimal_sum(v) > 0
                then power(decimal_sum(v), 2) / sum_in_order(v * v / df, dataset_id)
        end as df,
        min(reason) as reason
    from dataset_interval
    group by run_id, metric, approach
    having count(*) > 1
),
overall_interval as (
    select
        run_id, 'overall' as scope, cast(null as varchar) as dataset_id, metric, approach, scale, low, high,
        case when measured = datasets then m end as m,
        n,
        datasets as units,
        case when df is not null then 'macro_t' end as method,
        case when df is not null then v end as v,
        df,
        m - t_quantile((1 + $confidence) / 2, df) * sqrt(v) as lower,
        m + t_quantile((1 + $confidence) / 2, df) * sqrt(v) as upper,
        case when df is null then coalesce(reason, 'no_spread') end as reason
    from macro
),
every_interval as (
    select * from dataset_interval
    union all
    select * from overall_interval
)
select
    every_interval.run_id,
    every_interval.scope,
    every_interval.dataset_id,
    every_interval.metric,
    every_interval.approach,
    case when every_interval.scale = 'log' then exp(every_interval.m) else every_interval.m end as mean,
    every_interval.n as scored_n,
    every_interval.units as units_n,
    every_interval.method,
    case when every_interval.method in ('t', 'macro_t') then sqrt(every_interval.v) end as se,
    case when every_interval.method in ('t', 'macro_t') then every_interval.df end as df,
    case when every_interval.scale = 'log' then exp(every_interval.lower) else every_interval.lower end as lower,
    case when every_interval.scale = 'log' then exp(every_interval.upper) else every_interval.upper end as upper,
    coalesce(
        every_interval.scale <> 'log'
        and (every_interval.lower < every_interval.low or every_interval.upper > every_interval.high),
        false
    ) as is_clipped,
    coalesce(every_interval.method in ('t', 'macro_t') and every_interval.df < 4, false) as is_rough,
    every_interval.reason
from every_interval
order by
    every_interval.run_id, every_interval.scope, every_interval.dataset_id, every_interval.metric, every_interval.approach
