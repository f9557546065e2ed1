-- name: metrics/stat_trend_v1
-- purpose: Tests whether scores rise or fall from level to level (Jonckheere and Terpstra, with ties; statistics contract,
--   section 6). Datasets of one level are one group; units are questions, or topics by their mean.
-- grain: run_id, approach
-- reads: metric_cells
-- param: metric (varchar, required): the metric
-- param: run_id (varchar, default null): only this run; null takes all, each on its own
-- param: units_min (bigint, default 4): fewest units of a level
-- param: total_min (bigint, default 12): fewest units altogether
-- column: run_id (varchar): the run
-- column: approach (varchar): the approach
-- column: levels_n (bigint, levels): levels with scores
-- column: units_n (bigint, units): units altogether
-- column: s (double): pairs that rise less pairs that fall
-- column: jt (double): pairs that rise, equal pairs by half
-- column: tau_b (double, -1..1): rank correlation of level and score
-- column: p (double, 0..1): two-sided, by the normal approximation
-- column: reason (varchar): one_level, few_units or no_spread
-- order: run_id, approach
-- nulls: tau_b and p are null with a reason
-- since: 0.1.0
with
observation as (
    select
        run_id, approach, complexity_level as level, dataset_id, unit,
        cast(sum(steps_n) as double) / count(*) as y
    from metric_cells
    where metric = $metric and steps_n is not null and ($run_id is null or run_id = $run_id)
    group by run_id, approach, complexity_level, dataset_id, unit
),
rung as (
    select run_id, approach, level, count(*) as t
    from observation
    group by run_id, approach, level
),
tie as (
    select run_id, approach, y, count(*) as t
    from observation
    group by run_id, approach, y
),
group_sum as (
    select run_id, approach, count(*) as levels_n, cast(sum(t) as bigint) as n, min(t) as least_n,
        cast(sum(t * (t - 1)) as double) as a1,
        cast(sum(t * (t - 1) * (t - 2)) as double) as a2,
        cast(sum(t * (t - 1) * (2 * t + 5)) as double) as a3
    from rung
    group by run_id, approach
),
tie_sum as (
    select run_id, approach, count(*) as values_n,
        cast(sum(t * (t - 1)) as double) as b1,
        cast(sum(t * (t - 1) * (t - 2)) as double) as b2,
        cast(sum(t * (t - 1) * (2 * t + 5)) as double) as b3
    from tie
    group by run_id, approach
),
rising as (
    select
        early.run_id, early.approach,
        cast(sum(case when late.y > early.y then 1 when late.y < early.y then -1 else 0 end) as double) as s,
        count(*) as pairs_n
    from observation as early
    inner join observation as late
        on late.run_id = early.run_id and late.approach = early.approach and late.level > early.level
    group by early.run_id, early.approach
),
measured as (
    select
        group_sum.run_id, group_sum.approach, group_sum.levels_n, group_sum.n,
        coalesce(rising.s, 0.0e0) as s,
        (coalesce(rising.pairs_n, 0) + coalesce(rising.s, 0.0e0)) / 2 as jt,
        cast(group_sum.n as double) * (group_sum.n - 1) as n2,
        group_sum.a1, tie_sum.b1,
        (cast(group_sum.n as double) * (group_sum.n - 1) * (2 * group_sum.n + 5) - group_sum.a3 - tie_sum.b3) / 18
            + group_sum.a1 * tie_sum.b1 / nullif(2.0e0 * group_sum.n * (group_sum.n - 1), 0)
            + group_sum.a2 * tie_sum.b2 / nullif(9.0e0 * group_sum.n * (group_sum.n - 1) * (group_sum.n - 2), 0)
            as variance,
        case
            when group_sum.levels_n < 2 then 'one_level'
            when tie_sum.values_n < 2 then 'no_spread'
            when group_sum.least_n < $units_min or group_sum.n < $total_min then 'few_units'
        end as reason
    from group_sum
    inner join tie_sum on tie_sum.run_id = group_sum.run_id and tie_sum.approach = group_sum.approach
    left join rising on rising.run_id = group_sum.run_id and rising.approach = group_sum.approach
)
select
    measured.run_id,
    measured.approach,
    measured.levels_n,
    measured.n as units_n,
    measured.s,
    measured.jt,
    case
        when measured.reason is null
            then 2 * measured.s / sqrt((measured.n2 - measured.a1) * (measured.n2 - measured.b1))
    end as tau_b,
    case when measured.reason is null then 2 * norm_cdf(-abs(measured.s) / sqrt(measured.variance)) end as p,
    measured.reason
from measured
order by measured.run_id, measured.approach
