-- name: metrics/stat_progression_v1
-- purpose: Says how an approach's mean moves from dataset to dataset as they become more relational: the slope per
--   complexity level with its interval, and the change at each step (statistics contract, section 6). It speaks of these
--   datasets only; their level is confounded with their size, topic and author.
-- grain: run_id, approach, kind, from_level
-- reads: staging.metric_moments, metric_cards
-- param: metric (varchar, required): the metric
-- param: run_id (varchar, default null): only this run; null takes all, each on its own
-- param: alpha (double, default 0.05): 1 - level of the slope's interval
-- param: step_alpha (double, default 0.05): 1 - level of the intervals of steps; divide by the marks of the page
-- param: coverage_floor (double, default 0.8): least share of scored questions of a dataset that enters
-- column: run_id (varchar): the run
-- column: approach (varchar): the approach
-- column: kind (varchar): slope or step
-- column: from_level (bigint, 1 or more): first level
-- column: to_level (bigint, 1 or more): last level
-- column: rungs_n (bigint, datasets): datasets that enter
-- column: value (double): change per level, or of the step, on the scale of comparison
-- column: se (double): its standard error
-- column: df (double): its degrees of freedom (Welch, Satterthwaite)
-- column: lower (double): lower end of the interval
-- column: upper (double): upper end
-- column: mark (varchar): rises, falls, no_clear_change or not_estimable; better is up
-- column: reason (varchar): one_level, coverage, one_question or no_spread
-- order: run_id, approach, kind, from_level
-- nulls: numbers are null with a reason
-- since: 0.1.0
with
rung as (
    select
        moments.run_id, moments.approach, moments.complexity_level as level, moments.dataset_id,
        moments.n, moments.m, moments.v, moments.df,
        moments.n < $coverage_floor * moments.eligible_n as is_thin,
        row_number() over (
            partition by moments.run_id, moments.approach order by moments.complexity_level, moments.dataset_id
        ) as place
    from staging.metric_moments as moments
    where moments.metric = $metric and ($run_id is null or moments.run_id = $run_id)
),
centred as (
    select
        rung.*,
        cast(rung.level as double) - cast(sum(rung.level) over by_approach as double) / count(*) over by_approach as x
    from rung
    window by_approach as (partition by rung.run_id, rung.approach)
),
squares as (
    select run_id, approach, decimal_sum(x * x) as xx
    from centred
    group by run_id, approach
),
slope as (
    select
        centred.run_id, centred.approach,
        min(centred.level) as from_level,
        max(centred.level) as to_level,
        count(*) as rungs_n,
        case
            when max(squares.xx) = 0 then 'one_level'
            when bool_or(centred.is_thin) then 'coverage'
            when min(centred.n) < 2 then 'one_question'
            when count(centred.v) < count(*) then 'no_spread'
        end as reason,
        decimal_sum(centred.x / nullif(squares.xx, 0) * centred.m) as value,
        decimal_sum(power(centred.x / nullif(squares.xx, 0), 2) * centred.v) as v,
        sum_in_order(power(power(centred.x / nullif(squares.xx, 0), 2) * centred.v, 2) / centred.df, centred.place) as vv
    from centred
    inner join squares on squares.run_id = centred.run_id and squares.approach = centred.approach
    group by centred.run_id, centred.approach
),
step as (
    select
        rung.run_id, rung.approach, rung.level as from_level, next.level as to_level, 2 as rungs_n,
        case
            when rung.is_thin or next.is_thin then 'coverage'
            when rung.n < 2 or next.n < 2 then 'one_question'
            when rung.v is null or next.v is null then 'no_spread'
        end as reason,
        next.m - rung.m as value,
        rung.v + next.v as v,
        rung.v * rung.v / rung.df + next.v * next.v / next.df as vv
    from rung
    inner join rung as next
        on next.run_id = rung.run_id and next.approach = rung.approach and next.place = rung.place + 1
),
every_change as (
    select 'slope' as kind, slope.*, $alpha as level_alpha from slope
    union all
    select 'step', step.*, $step_alpha from step
),
measured as (
    select
        every_change.*,
        case when reason is null then sqrt(v) end as se,
        case when reason is null then v * v / vv end as df
    from every_change
),
bounded as (
    select
        measured.*,
        measured.value - t_quantile(1 - measured.level_alpha / 2, measured.df) * measured.se as lower,
        measured.value + t_quantile(1 - measured.level_alpha / 2, measured.df) * measured.se as upper,
        case when metric_cards.better = 'lower' then -1 else 1 end as direction
    from measured
    inner join metric_cards on metric_cards.metric = $metric
)
select
    bounded.run_id,
    bounded.approach,
    bounded.kind,
    bounded.from_level,
    bounded.to_level,
    bounded.rungs_n,
    case when bounded.reason is null then bounded.value end as value,
    bounded.se,
    bounded.df,
    bounded.lower,
    bounded.upper,
    case
        when bounded.reason is not null then 'not_estimable'
        when bounded.lower > 0 then case when bounded.direction > 0 then 'rises' else 'falls' end
        when bounded.upper < 0 then case when bounded.direction > 0 then 'falls' else 'rises' end
        else 'no_clear_change'
    end as mark,
    bounded.reason
from bounded
order by bounded.run_id, bounded.approach, bounded.kind, bounded.from_level
