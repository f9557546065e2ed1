-- name: metrics/stat_bootstrap_v1
-- purpose: Gives every mean a second opinion: the expanded percentile bootstrap over units (statistics contract, sections
--   3.5 and 10). The draws depend on the seed and the dataset alone, so approaches and metrics share them.
-- grain: run_id, dataset_id, metric, approach
-- reads: metric_cells, metric_cards
-- param: run_id (varchar, default null): only this run; null takes all, each on its own
-- param: dataset_id (varchar, default null): only this dataset; null takes all, each on its own
-- param: metric (varchar, default null): only this metric; null takes all
-- param: seed (varchar, default "rag-showcase-v1"): seed of the resampling
-- param: replicates (bigint, default 1999): bootstrap replicates
-- param: confidence (double, default 0.95): level of the interval
-- param: units_min (bigint, default 10): fewest units with a score for an interval
-- param: units_max (bigint, default 1000): more units are dealt into this many random groups
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: metric (varchar): the metric
-- column: approach (varchar): the approach
-- column: mean (double): mean over the scored questions; the geometric mean where logarithms are compared
-- column: units_n (bigint, units): questions, topics or groups with a score
-- column: planned_n (bigint, units): units that are drawn from
-- column: is_grouped (boolean): whether units were dealt into groups
-- column: used_n (bigint, replicates): replicates with a score in them
-- column: rank_n (bigint, 1 or more): which replicate from either end the interval reads
-- column: lower (double): lower end of the interval
-- column: upper (double): upper end of the interval
-- column: reason (varchar): no_scores or few_units
-- order: run_id, dataset_id, metric, approach
-- nulls: mean is null without scores; the interval is null with a reason
-- since: 0.1.0
with
applicable as (
    select
        metric_cells.run_id, metric_cells.dataset_id, metric_cells.metric, metric_cells.approach, metric_cells.unit,
        metric_cells.steps_n
    from metric_cells
    where
        metric_cells.is_applicable
        and ($run_id is null or metric_cells.run_id = $run_id)
        and ($dataset_id is null or metric_cells.dataset_id = $dataset_id)
        and ($metric is null or metric_cells.metric = $metric)
),
planned as (
    select distinct metric_cells.run_id, metric_cells.dataset_id, metric_cells.unit
    from metric_cells
    where
        ($run_id is null or metric_cells.run_id = $run_id)
        and ($dataset_id is null or metric_cells.dataset_id = $dataset_id)
),
numbered as (
    select
        planned.*,
        row_number() over (partition by planned.run_id, planned.dataset_id order by planned.unit) - 1 as place,
        row_number() over (
            partition by planned.run_id, planned.dataset_id
            order by md5(resample_base('group', $seed, planned.dataset_id) || ':' || planned.unit), planned.unit
        ) - 1 as shuffled_place,
        count(*) over (partition by planned.run_id, planned.dataset_id) as units
    from planned
),
unit as (
    select
        run_id, dataset_id, unit,
        case when units > $units_max then shuffled_place % $units_max else place end as g,
        least(units, $units_max) as units,
        units > $units_max as is_grouped
    from numbered
),
unit_sum as (
    select
        applicable.run_id, applicable.dataset_id, applicable.metric, applicable.approach, unit.g,
        max(unit.units) as planned_n,
        bool_or(unit.is_grouped) as is_grouped,
        count(applicable.steps_n) as n,
        cast(coalesce(sum(applicable.steps_n), 0) as bigint) as s
    from applicable
    inner join unit
        on unit.run_id = applicable.run_id
        and unit.dataset_id = applicable.dataset_id
        and unit.unit = applicable.unit
    group by applicable.run_id, applicable.dataset_id, applicable.metric, applicable.approach, unit.g
),
drawn as (
    select
        slot.run_id,
        slot.dataset_id,
        replicate.r,
        drawn_unit(resample_base('draw', $seed, slot.dataset_id), replicate.r, slot.g, slot.units) as g,
        count(*) as weight
    from (select distinct run_id, dataset_id, g, units from unit) as slot
    cross join (select unnest(range(cast($replicates as bigint))) as r) as replicate
    group by
        slot.run_id,
        slot.dataset_id,
        replicate.r,
        drawn_unit(resample_base('draw', $seed, slot.dataset_id), replicate.r, slot.g, slot.units)
),
replicate_mean as (
    select
        unit_sum.run_id, unit_sum.dataset_id, unit_sum.metric, unit_sum.approach, drawn.r,
        cast(sum(drawn.weight * unit_sum.s) as double) / nullif(cast(sum(drawn.weight * unit_sum.n) as double), 0) as m
    from unit_sum
    inner join drawn
        on drawn.run_id = unit_sum.run_id and drawn.dataset_id = unit_sum.dataset_id and drawn.g = unit_sum.g
    group by unit_sum.run_id, unit_sum.dataset_id, unit_sum.metric, unit_sum.approach, drawn.r
),
sorted as (
    select
        run_id, dataset_id, metric, approach, m,
        row_number() over (partition by run_id, dataset_id, metric, approach order by m) as place,
        count(*) over (partition by run_id, dataset_id, metric, approach) as used_n
    from replicate_mean
    where m is not null
),
whole as (
    select
        run_id, dataset_id, metric, approach,
        max(planned_n) as planned_n,
        bool_or(is_grouped) as is_grouped,
        count(*) filter (where n > 0) as units_n,
        cast(sum(s) as double) / nullif(cast(sum(n) as double), 0) as m
    from unit_sum
    group by run_id, dataset_id, metric, approach
),
level as (
    select units_n, expanded_level($confidence, units_n) as level
    from (select distinct units_n from whole where units_n >= greatest($units_min, 2)) as size
),
ends as (
    select
        sorted.run_id, sorted.dataset_id, sorted.metric, sorted.approach,
        max(sorted.used_n) as used_n,
        max(greatest(1, cast(floor((sorted.used_n + 1) * level.level) as bigint))) as rank_n,
        max(sorted.m) filter (
            where sorted.place = greatest(1, floor((sorted.used_n + 1) * level.level))
        ) as lower_end,
        max(sorted.m) filter (
            where sorted.used_n + 1 - sorted.place = greatest(1, floor((sorted.used_n + 1) * level.level))
        ) as upper_end
    from sorted
    inner join whole
        on whole.run_id = sorted.run_id
        and whole.dataset_id = sorted.dataset_id
        and whole.metric = sorted.metric
        and whole.approach = sorted.approach
    inner join level on level.units_n = whole.units_n
    group by sorted.run_id, sorted.dataset_id, sorted.metric, sorted.approach
)
select
    whole.run_id,
    whole.dataset_id,
    whole.metric,
    whole.approach,
    case when card.scale = 'log' then exp(whole.m * card.quantum) else whole.m * card.quantum end as mean,
    whole.units_n,
    whole.planned_n,
    whole.is_grouped,
    ends.used_n,
    ends.rank_n,
    case when card.scale = 'log' then exp(ends.lower_end * card.quantum) else ends.lower_end * card.quantum end as lower,
    case when card.scale = 'log' then exp(ends.upper_end * card.quantum) else ends.upper_end * card.quantum end as upper,
    case when whole.units_n = 0 then 'no_scores' when ends.used_n is null then 'few_units' end as reason
from whole
inner join metric_cards as card on card.metric = whole.metric
left join ends
    on ends.run_id = whole.run_id
    and ends.dataset_id = whole.dataset_id
    and ends.metric = whole.metric
    and ends.approach = whole.approach
order by whole.run_id, whole.dataset_id, whole.metric, whole.approach
