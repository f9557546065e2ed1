-- name: staging/metric_moments_v1
-- purpose: Creates the view `staging.metric_moments`: mean, CR2 variance and Bell-McCaffrey degrees of freedom of every
--   approach, metric and dataset (statistics contract, section 3.2), on the scale of comparison.
-- grain: run_id, dataset_id, metric, approach
-- reads: metric_cells, metric_cards
-- order: none
-- nulls: m is null without scores; v and df are null with fewer than two units or without spread
-- since: 0.1.0
create or replace view staging.metric_moments as
with
unit as (
    select
        run_id, dataset_id, metric, approach, unit,
        min(complexity_level) as complexity_level,
        count(*) filter (where is_eligible) as eligible_n,
        count(steps_n) as n_g,
        cast(coalesce(sum(steps_n), 0) as hugeint) as s_g
    from metric_cells
    where is_applicable
    group by run_id, dataset_id, metric, approach, unit
),
total as (
    select
        run_id, dataset_id, metric, approach,
        min(complexity_level) as complexity_level,
        cast(sum(eligible_n) as bigint) as eligible_n,
        cast(sum(n_g) as bigint) as n,
        cast(sum(s_g) as hugeint) as s,
        count(*) filter (where n_g > 0) as units_n,
        max(cast(s_g as double) / nullif(n_g, 0)) > min(cast(s_g as double) / nullif(n_g, 0)) as has_spread
    from unit
    group by run_id, dataset_id, metric, approach
),
part as (
    select
        total.run_id, total.dataset_id, total.metric, total.approach,
        cast(unit.n_g as double) / total.n as share,
        cast(total.n * unit.s_g - unit.n_g * total.s as double) / total.n * metric_cards.quantum as residual
    from total
    inner join unit
        on unit.run_id = total.run_id
        and unit.dataset_id = total.dataset_id
        and unit.metric = total.metric
        and unit.approach = total.approach
    inner join metric_cards on metric_cards.metric = total.metric
    where total.units_n > 1 and total.has_spread and unit.n_g > 0
),
variance as (
    select
        run_id, dataset_id, metric, approach,
        decimal_sum(residual * residual / (1 - share)) as squares,
        1 / (
            decimal_sum(share * share)
            + power(decimal_sum(share * share / (1 - share)), 2)
            - decimal_sum(power(share * share / (1 - share), 2))
        ) as df
    from part
    group by run_id, dataset_id, metric, approach
)
select
    total.run_id,
    total.dataset_id,
    total.complexity_level,
    total.metric,
    total.approach,
    total.eligible_n,
    total.n,
    total.units_n,
    cast(total.s as double) * metric_cards.quantum / nullif(total.n, 0) as m,
    variance.squares / total.n / total.n as v,
    variance.df
from total
inner join metric_cards on metric_cards.metric = total.metric
left join variance
    on variance.run_id = total.run_id
    and variance.dataset_id = total.dataset_id
    and variance.metric = total.metric
    and variance.approach = total.approach;
