-- name: metrics/stat_gain_v1
-- purpose: Says whether an approach gains on a reference approach as datasets become more relational: the slope of their
--   paired differences, in which the difficulty of the datasets cancels (statistics contract, section 6).
-- grain: run_id, approach
-- reads: metric_cells, metric_cards
-- param: metric (varchar, required): the metric
-- param: reference (varchar, required): the approach to compare with
-- param: run_id (varchar, default null): only this run; null takes all, each on its own
-- param: alpha (double, default 0.05): 1 - level of the interval
-- column: run_id (varchar): the run
-- column: approach (varchar): the approach
-- column: rungs_n (bigint, datasets): datasets that enter
-- column: shared_n (bigint, questions): questions that both have a score for
-- column: slope (double): change of the difference per level, on the scale of comparison
-- column: se (double): its standard error
-- column: df (double): its degrees of freedom
-- column: lower (double): lower end of the interval
-- column: upper (double): upper end
-- column: mark (varchar): gains, loses, no_clear_change or not_estimable; better is up
-- column: reason (varchar): one_level, one_question or no_spread
-- order: run_id, approach
-- nulls: numbers are null with a reason
-- since: 0.1.0
with
unit as (
    select
        one.run_id, one.dataset_id, one.approach, one.unit,
        min(one.complexity_level) as level,
        count(*) as n_g,
        cast(sum(one.steps_n - two.steps_n) as hugeint) as s_g
    from metric_cells as one
    inner join metric_cells as two
        on two.run_id = one.run_id
        and two.dataset_id = one.dataset_id
        and two.question_id = one.question_id
        and two.metric = one.metric
    where
        one.metric = $metric
        and two.approach = $reference
        and one.approach <> $reference
        and one.steps_n is not null
        and two.steps_n is not null
        and ($run_id is null or one.run_id = $run_id)
    group by one.run_id, one.dataset_id, one.approach, one.unit
),
total as (
    select
        run_id, dataset_id, approach, min(level) as level,
        cast(sum(n_g) as bigint) as n,
        cast(sum(s_g) as hugeint) as s,
        count(*) as units_n,
        max(cast(s_g as double) / n_g) > min(cast(s_g as double) / n_g) as has_spread
    from unit
    group by run_id, dataset_id, approach
),
part as (
    select
        total.run_id, total.dataset_id, total.approach,
        cast(unit.n_g as double) / total.n as share,
        cast(total.n * unit.s_g - unit.n_g * total.s as double) / total.n * metric_cards.quantum as residual
    from total
    inner join unit
        on unit.run_id = total.run_id and unit.dataset_id = total.dataset_id and unit.approach = total.approach
    inner join metric_cards on metric_cards.metric = $metric
    where total.units_n > 1 and total.has_spread
),
variance as (
    select
        run_id, dataset_id, approach,
        decimal_sum(residual * residual / (1 - share)) as squares,
        1 / (
            decimal_sum(share * share)
            + power(decimal_sum(share * share / (1 - share)), 2)
            - decimal_sum(power(share * share / (1 - share), 2))
        ) as df
    from part
    group by run_id, dataset_id, approach
),
rung as (
    select
        total.run_id, total.approach, total.dataset_id, total.n,
        cast(total.level as double)
            - cast(sum(total.level) over (partition by total.run_id, total.approach) as double)
            / count(*) over (partition by total.run_id, total.approach) as x,
        cast(total.s as double) * metric_cards.quantum / total.n as m,
        variance.squares / total.n / total.n as v,
        variance.df,
        case when metric_cards.better = 'lower' then -1 else 1 end as direction
    from total
    inner join metric_cards on metric_cards.metric = $metric
    left join variance
        on variance.run_id = total.run_id
        and variance.dataset_id = total.dataset_id
        and variance.approach = total.approach
),
squares as (
    select run_id, approach, decimal_sum(x * x) as xx
    from rung
    group by run_id, approach
),
slope as (
    select
        rung.run_id, rung.approach,
        max(rung.direction) as direction,
        count(*) as rungs_n,
        cast(sum(rung.n) as bigint) as shared_n,
        case
            when max(squares.xx) = 0 then 'one_level'
            when min(rung.n) < 2 then 'one_question'
            when count(rung.v) < count(*) then 'no_spread'
        end as reason,
        decimal_sum(rung.x / nullif(squares.xx, 0) * rung.m) as value,
        decimal_sum(power(rung.x / nullif(squares.xx, 0), 2) * rung.v) as v,
        sum_in_order(power(power(rung.x / nullif(squares.xx, 0), 2) * rung.v, 2) / rung.df, rung.dataset_id) as vv
    from rung
    inner join squares on squares.run_id = rung.run_id and squares.approach = rung.approach
    group by rung.run_id, rung.approach
),
bounded as (
    select
        slope.*,
        case when reason is null then value end as slope,
        case when reason is null then sqrt(v) end as se,
        case when reason is null then v * v / vv end as df,
        case when reason is null then value - t_quantile(1 - $alpha / 2, v * v / vv) * sqrt(v) end as lower,
        case when reason is null then value + t_quantile(1 - $alpha / 2, v * v / vv) * sqrt(v) end as upper
    from slope
)
select
    bounded.run_id,
    bounded.approach,
    bounded.rungs_n,
    bounded.shared_n,
    bounded.slope,
    bounded.se,
    bounded.df,
    bounded.lower,
    bounded.upper,
    case
        when bounded.reason is not null then 'not_estimable'
        when bounded.lower > 0 then case when bounded.direction > 0 then 'gains' else 'loses' end
        when bounded.upper < 0 then case when bounded.direction > 0 then 'loses' else 'gains' end
        else 'no_clear_change'
    end as mark,
    bounded.reason
from bounded
order by bounded.run_id, bounded.approach
