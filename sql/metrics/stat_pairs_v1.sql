-- name: metrics/stat_pairs_v1
-- purpose: Compares every two approaches on the questions that both have a score for: difference with interval, sign-flip
--   test with two corrections, and whether these questions could have shown anything (statistics contract, sections 3 to 5).
--   One family of tests is one metric of one dataset, or of all datasets together with equal weight.
-- grain: run_id, scope, dataset_id, approach_a, approach_b
-- reads: metric_cells, metric_cards
-- param: metric (varchar, required): the metric
-- param: run_id (varchar, default null): only this run; null takes all, each on its own
-- param: dataset_id (varchar, default null): only this dataset; null takes all
-- param: seed (varchar, default "rag-showcase-v1"): seed of the hashed sign patterns
-- param: replicates (bigint, default 9999): hashed sign patterns
-- param: exact_units_max (bigint, default 15): up to so many units every sign pattern is tried
-- param: questions_min (bigint, default 5): fewest shared questions for a test
-- param: alpha (double, default 0.05): level of the tests, and 1 - level of the interval
-- param: correction (varchar, default "max"): max or holm, which one the verdict follows
-- param: power (double, default 0.8): power of the detectable difference
-- column: run_id (varchar): the run
-- column: scope (varchar): dataset or overall
-- column: dataset_id (varchar): the dataset
-- column: approach_a (varchar): the first approach by name
-- column: approach_b (varchar): the second
-- column: difference (double): mean of a less b over shared questions, on the scale of comparison
-- column: ratio (double): exp of it where logarithms are compared
-- column: lower (double): lower end of the interval of the difference
-- column: upper (double): upper end
-- column: method (varchar): t, macro_t or no_spread
-- column: se (double): standard error of the difference
-- column: df (double): its degrees of freedom
-- column: shared_n (bigint, questions): questions that both have a score for
-- column: eligible_n (bigint, questions): questions the metric can apply to for anybody
-- column: units_n (bigint, units): shared questions or topics
-- column: wins_n (bigint, questions): a is better
-- column: ties_n (bigint, questions): equal
-- column: losses_n (bigint, questions): b is better
-- column: superiority (double, 0..1): share of wins and half the ties
-- column: d_z (double): mean over standard deviation of the differences
-- column: d_z_corrected (double): the same with the small-sample factor
-- column: p (double, 0..1): two-sided p-value of the sign-flip test
-- column: p_is_exact (boolean): whether every sign pattern was tried
-- column: p_holm (double, 0..1): corrected after Holm
-- column: p_max (double, 0..1): corrected by the step-down maximum of joint flips
-- column: tested_n (bigint, pairs): pairs of the family
-- column: attainable_p (double): the smallest p that these units allow
-- column: detectable (double): difference that a single test would find with the power
-- column: detectable_holm (double): the same at the level of the whole family
-- column: verdict (varchar): different, not_separable, could_not or not_estimable
-- column: better_approach (varchar): the better one when different
-- column: reason (varchar): no_shared_questions, few_questions, one_cluster or identical
-- order: run_id, scope, dataset_id, approach_a, approach_b
-- nulls: numbers are null where they cannot be had; p-values and attainable_p are null unless tested; better_approach is null
--   unless different; dataset_id is null overall
-- since: 0.1.0
with recursive
applicable as (
    select
        metric_cells.run_id, metric_cells.dataset_id, metric_cells.question_id, metric_cells.unit, metric_cells.approach,
        metric_cells.steps_n
    from metric_cells
    where
        metric_cells.metric = $metric
        and metric_cells.is_applicable
        and metric_cells.is_eligible
        and ($run_id is null or metric_cells.run_id = $run_id)
        and ($dataset_id is null or metric_cells.dataset_id = $dataset_id)
),
card as (
    select metric_cards.* from metric_cards where metric_cards.metric = $metric
),
unit as (
    select
        planned.run_id, planned.dataset_id, planned.unit,
        row_number() over (partition by planned.run_id, planned.dataset_id order by planned.unit) - 1 as g
    from (
        select distinct metric_cells.run_id, metric_cells.dataset_id, metric_cells.unit
        from metric_cells
        where
            ($run_id is null or metric_cells.run_id = $run_id)
            and ($dataset_id is null or metric_cells.dataset_id = $dataset_id)
    ) as planned
),
approach as (
    select distinct run_id, dataset_id, approach from applicable
),
dataset_pair as (
    select one.run_id, one.dataset_id, one.approach as a, two.approach as b
    from approach as one
    inner join approach as two
        on two.run_id = one.run_id and two.dataset_id = one.dataset_id and two.approach > one.approach
),
eligible as (
    select run_id, dataset_id, count(distinct question_id) as eligible_n
    from applicable
    group by run_id, dataset_id
),
-- Differences are turned so that above 0 means that a is better.
shared as (
    select
        one.run_id, one.dataset_id, one.unit, one.approach as a, two.approach as b,
        case when card.better = 'lower' then two.steps_n - one.steps_n else one.steps_n - two.steps_n end as d
    from applicable as one
    inner join applicable as two
        on two.run_id = one.run_id
        and two.dataset_id = one.dataset_id
        and two.question_id = one.question_id
        and two.approach > one.approach
    cross join card
    where one.steps_n is not null and two.steps_n is not null
),
pair_unit as (
    select
        shared.run_id, shared.dataset_id, shared.a, shared.b, unit.g,
        count(*) as n_g, cast(sum(shared.d) as hugeint) as s_g
    from shared
    inner join unit
        on unit.run_id = shared.run_id and unit.dataset_id = shared.dataset_id and unit.unit = shared.unit
    group by shared.run_id, shared.dataset_id, shared.a, shared.b, unit.g
),
pair_effect as (
    select
        run_id, dataset_id, a, b,
        count(*) as n,
        cast(sum(d) as hugeint) as s,
        sum(cast(d as hugeint) * d) as ss,
        count(*) filter (where d > 0) as wins_n,
        count(*) filter (where d = 0) as ties_n,
        count(*) filter (where d < 0) as losses_n
    from shared
    group by run_id, dataset_id, a, b
),
pair_total as (
    select
        run_id, dataset_id, a, b,
        cast(sum(n_g) as bigint) as n,
        cast(sum(s_g) as hugeint) as s,
        count(*) as units_n,
        min(cast(s_g as double) / n_g) as least_mean,
        max(cast(s_g as double) / n_g) as largest_mean
    from pair_unit
    group by run_id, dataset_id, a, b
),
part as (
    select
        total.run_id, total.dataset_id, total.a, total.b,
        cast(pair_unit.n_g as double) / total.n as share,
        cast(total.n * pair_unit.s_g - pair_unit.n_g * total.s as double) / total.n * card.quantum as residual
    from pair_total as total
    inner join pair_unit
        on pair_unit.run_id = total.run_id
        and pair_unit.dataset_id = total.dataset_id
        and pair_unit.a = total.a
        and pair_unit.b = total.b
    cross join card
    where total.units_n > 1
),
variance as (
    select
        run_id, dataset_id, a, b,
        decimal_sum(residual * residual / (1 - share)) as squares,
        1 / (
            decimal_sum(share * share)
            + power(decimal_sum(share * share / (1 - share)), 2)
            - decimal_sum(power(share * share / (1 - share), 2))
        ) as df
    from part
    group by run_id, dataset_id, a, b
),
-- One row per pair and dataset, then one per pair over all datasets of a run, where every dataset has shared questions.
measured as (
    select
        dataset_pair.run_id, dataset_pair.dataset_id, dataset_pair.a, dataset_pair.b,
        eligible.eligible_n,
        coalesce(total.n, 0) as n,
        coalesce(total.units_n, 0) as units_n,
        cast(total.s as double) * card.quantum / total.n as m,
        case when total.largest_mean > total.least_mean then variance.squares / total.n / total.n end as v,
        case when total.largest_mean > total.least_mean then variance.df end as df,
        coalesce(effect.wins_n, 0) as wins_n,
        coalesce(effect.ties_n, 0) as ties_n,
        coalesce(effect.losses_n, 0) as losses_n,
        case
            when effect.n > 1 and effect.n * effect.ss > effect.s * effect.s
                then sqrt(cast(effect.n * effect.ss - effect.s * effect.s as double) / effect.n / (effect.n - 1)) * card.quantum
        end as sd
    from dataset_pair
    cross join card
    inner join eligible on eligible.run_id = dataset_pair.run_id and eligible.dataset_id = dataset_pair.dataset_id
    left join pair_total as total
        on total.run_id = dataset_pair.run_id
        and total.dataset_id = dataset_pair.dataset_id
        and total.a = dataset_pair.a
        and total.b = dataset_pair.b
    left join variance
        on variance.run_id = total.run_id
        and variance.dataset_id = total.dataset_id
        and variance.a = total.a
        and variance.b = total.b
    left join pair_effect as effect
        on effect.run_id = total.run_id
        and effect.dataset_id = total.dataset_id
        and effect.a = total.a
        and effect.b = total.b
),
dataset_count as (
    select run_id, count(distinct dataset_id) as datasets_n from applicable group by run_id
),
every_pair as (
    select
        run_id, 'dataset' as scope, dataset_id as family, a, b, eligible_n, n, units_n, m, v, df, wins_n, ties_n, losses_n,
        sd, n as least_n
    from measured
    union all
    select
        measured.run_id, 'overall', '', measured.a, measured.b,
        cast(sum(measured.eligible_n) as bigint),
        cast(sum(measured.n) as bigint),
        cast(sum(measured.units_n) as bigint),
        case when min(measured.n) > 0 then decimal_sum(measured.m) / count(*) end,
        case when count(measured.v) = count(*) then decimal_sum(measured.v) / count(*) / count(*) end,
        case
            when count(measured.v) = count(*)
                then power(decimal_sum(measured.v), 2) / sum_in_order(measured.v * measured.v / measured.df, measured.dataset_id)
        end,
        cast(sum(measured.wins_n) as bigint),
        cast(sum(measured.ties_n) as bigint),
        cast(sum(measured.losses_n) as bigint),
        cast(null as double),
        min(measured.n)
    from measured
    inner join dataset_count on dataset_count.run_id = measured.run_id
    where dataset_count.datasets_n > 1
    group by measured.run_id, measured.a, measured.b
    having count(*) = max(dataset_count.datasets_n)
),
tested as (
    select run_id, scope, family, a, b
    from every_pair
    where n >= $questions_min and units_n > 1 and least_n > 0
),
-- Unit sums as tests take them: datasets weigh equally overall, by whole-number weights.
flipped_unit as (
    select
        tested.run_id, tested.scope, tested.family, tested.a, tested.b, pair_unit.dataset_id, pair_unit.g,
        pair_unit.s_g
            * case
                when tested.scope = 'dataset' then 1
                else cast(floor(1e6 / pair_total.n + 0.5) as bigint)
            end as s
    from tested
    inner join pair_unit
        on pair_unit.run_id = tested.run_id
        and pair_unit.a = tested.a
        and pair_unit.b = tested.b
        and (tested.scope = 'overall' or pair_unit.dataset_id = tested.family)
    inner join pair_total
        on pair_total.run_id = pair_unit.run_id
        and pair_total.dataset_id = pair_unit.dataset_id
        and pair_total.a = pair_unit.a
        and pair_total.b = pair_unit.b
),
place as (
    select
        family_unit.*,
        row_number() over (
            partition by family_unit.run_id, family_unit.scope, family_unit.family
            order by family_unit.dataset_id, family_unit.g
        ) - 1 as place,
        count(*) over (partition by family_unit.run_id, family_unit.scope, family_unit.family) as places_n
    from (
        select distinct run_id, scope, family, dataset_id, g from flipped_unit where s <> 0
    ) as family_unit
),
pair_vector as (
    select
        tested.run_id, tested.scope, tested.family, tested.a, tested.b,
        vector_of(coalesce(flipped_unit.s, 0), place.place) as s,
        abs(cast(sum(coalesce(flipped_unit.s, 0)) as double)) as t,
        sqrt(cast(sum(coalesce(flipped_unit.s, 0) * coalesce(flipped_unit.s, 0)) as double)) as norm,
        count(*) filter (where flipped_unit.s <> 0) as moving_n
    from tested
    inner join place
        on place.run_id = tested.run_id and place.scope = tested.scope and place.family = tested.family
    left join flipped_unit
        on flipped_unit.run_id = tested.run_id
        and flipped_unit.scope = tested.scope
        and flipped_unit.family = tested.family
        and flipped_unit.a = tested.a
        and flipped_unit.b = tested.b
        and flipped_unit.dataset_id = place.dataset_id
        and flipped_unit.g = place.g
    group by tested.run_id, tested.scope, tested.family, tested.a, tested.b
),
family as (
    select run_id, scope, family, max(places_n) as places_n, max(places_n) <= $exact_units_max as is_exact
    from place
    group by run_id, scope, family
),
-- A hashed word holds the signs of 48 units; every place knows its word and its bit.
block as (
    select
        used.*,
        row_number() over (partition by used.run_id, used.scope, used.family order by used.dataset_id, used.block) as number,
        resample_base('flip', $seed, used.dataset_id) as base
    from (
        select distinct run_id, scope, family, dataset_id, cast(floor(g / 48) as bigint) as block
        from place
    ) as used
),
layout as (
    select
        place.run_id, place.scope, place.family,
        vector_of(block.number, place.place) as words,
        vector_of(place.g % 48, place.place) as bits
    from place
    inner join block
        on block.run_id = place.run_id
        and block.scope = place.scope
        and block.family = place.family
        and block.dataset_id = place.dataset_id
        and block.block = floor(place.g / 48)
    group by place.run_id, place.scope, place.family
),
seeds as (
    select run_id, scope, family, list_of(base, number) as bases, vector_of(block, number) as blocks
    from block
    group by run_id, scope, family
),
hashed as (
    select seeds.run_id, seeds.scope, seeds.family, replicate.r, flip_words(seeds.bases, seeds.blocks, replicate.r) as words
    from seeds
    inner join family
        on family.run_id = seeds.run_id and family.scope = seeds.scope and family.family = seeds.family
    cross join (select unnest(range(cast($replicates as bigint))) as r) as replicate
    where not family.is_exact
),
-- In an exact family the sign of a place is a bit of the number of the pattern.
pattern as (
    select
        family.run_id, family.scope, family.family, numbered.r, flip_signs_of_number(numbered.r, family.places_n) as signs
    from family
    cross join (select unnest(range(cast(power(2, $exact_units_max) as bigint))) as r) as numbered
    where family.is_exact and numbered.r < power(2, family.places_n)
    union all
    select
        hashed.run_id, hashed.scope, hashed.family, hashed.r, flip_signs(hashed.words, layout.words, layout.bits) as signs
    from hashed
    inner join layout
        on layout.run_id = hashed.run_id and layout.scope = hashed.scope and layout.family = hashed.family
),
ordered as (
    select
        pair_vector.*,
        case when pair_vector.norm > 0 then pair_vector.t / pair_vector.norm else 0.0e0 end as z,
        row_number() over (
            partition by pair_vector.run_id, pair_vector.scope, pair_vector.family
            order by
                case when pair_vector.norm > 0 then pair_vector.t / pair_vector.norm else 0.0e0 end desc,
                pair_vector.a, pair_vector.b
        ) as k,
        family.is_exact
    from pair_vector
    inner join family
        on family.run_id = pair_vector.run_id
        and family.scope = pair_vector.scope
        and family.family = pair_vector.family
),
flipped as (
    select
        ordered.run_id, ordered.scope, ordered.family, pattern.r, ordered.k, ordered.t, ordered.z,
        abs(dot_product(pattern.signs, ordered.s)) as t_flipped,
        case when ordered.norm > 0 then abs(dot_product(pattern.signs, ordered.s)) / ordered.norm else 0.0e0 end
            as z_flipped
    from ordered
    inner join pattern
        on pattern.run_id = ordered.run_id and pattern.scope = ordered.scope and pattern.family = ordered.family
),
running as (
    select
        run_id, scope, family, k, z,
        t_flipped >= t as is_extreme,
        max(z_flipped) over (
            partition by run_id, scope, family, r order by k desc rows unbounded preceding
        ) >= z * (1 - 1e-12) as is_top_extreme
    from flipped
),
counted as (
    select
        run_id, scope, family, k,
        count(*) as patterns_n,
        count(*) filter (where is_extreme) as extreme_n,
        count(*) filter (where is_top_extreme) as top_extreme_n
    from running
    group by run_id, scope, family, k
),
-- Pairs that few units move have an exact p of their own, also where the family has many units.
small as (
    select
        ordered.run_id, ordered.scope, ordered.family, ordered.k, ordered.t, ordered.moving_n,
        vector_of(moving.s, moving.place) as s
    from ordered
    inner join (
        select
            flipped_unit.*,
            row_number() over (
                partition by flipped_unit.run_id, flipped_unit.scope, flipped_unit.family, flipped_unit.a, flipped_unit.b
                order by flipped_unit.dataset_id, flipped_unit.g
            ) - 1 as place
        from flipped_unit
        where flipped_unit.s <> 0
    ) as moving
        on moving.run_id = ordered.run_id
        and moving.scope = ordered.scope
        and moving.family = ordered.family
        and moving.a = ordered.a
        and moving.b = ordered.b
    where not ordered.is_exact and ordered.moving_n <= $exact_units_max
    group by ordered.run_id, ordered.scope, ordered.family, ordered.k, ordered.t, ordered.moving_n
),
small_pattern as (
    select size.moving_n, numbered.r, flip_signs_of_number(numbered.r, size.moving_n) as signs
    from (select distinct moving_n from small) as size
    cross join (select unnest(range(cast(power(2, $exact_units_max) as bigint))) as r) as numbered
    where numbered.r < power(2, size.moving_n)
),
small_counted as (
    select
        small.run_id, small.scope, small.family, small.k,
        count(*) as patterns_n,
        count(*) filter (where abs(dot_product(small_pattern.signs, small.s)) >= small.t) as extreme_n
    from small
    inner join small_pattern on small_pattern.moving_n = small.moving_n
    group by small.run_id, small.scope, small.family, small.k
),
raw as (
    select
        ordered.run_id, ordered.scope, ordered.family, ordered.a, ordered.b, ordered.k,
        ordered.is_exact or small_counted.patterns_n is not null or ordered.moving_n = 0 as p_is_exact,
        case
            when ordered.moving_n = 0 then 1.0e0
            when ordered.is_exact then cast(counted.extreme_n as double) / counted.patterns_n
            when small_counted.patterns_n is not null then cast(small_counted.extreme_n as double) / small_counted.patterns_n
            else cast(counted.extreme_n + 1 as double) / (counted.patterns_n + 1)
        end as p,
        case
            when ordered.is_exact then cast(counted.top_extreme_n as double) / counted.patterns_n
            else cast(counted.top_extreme_n + 1 as double) / (counted.patterns_n + 1)
        end as p_top
    from ordered
    inner join counted
        on counted.run_id = ordered.run_id
        and counted.scope = ordered.scope
        and counted.family = ordered.family
        and counted.k = ordered.k
    left join small_counted
        on small_counted.run_id = ordered.run_id
        and small_counted.scope = ordered.scope
        and small_counted.family = ordered.family
        and small_counted.k = ordered.k
    union all
    -- A family in which nothing differs anywhere has no unit to flip.
    select tested.run_id, tested.scope, tested.family, tested.a, tested.b, 1, true, 1.0e0, 1.0e0
    from tested
    left join family
        on family.run_id = tested.run_id and family.scope = tested.scope and family.family = tested.family
    where family.family is null
),
numbered_p as (
    select
        raw.*,
        row_number() over (partition by run_id, scope, family order by p, a, b) as i,
        count(*) over (partition by run_id, scope, family) as tested_n
    from raw
),
corrected as (
    select
        numbered_p.*,
        max(least(1.0e0, p * (tested_n - i + 1))) over (
            partition by run_id, scope, family order by i rows unbounded preceding
        ) as p_holm,
        max(p_top) over (partition by run_id, scope, family order by k, a, b rows unbounded preceding) as p_max
    from numbered_p
),
judged as (
    select
        every_pair.*,
        corrected.p, corrected.p_is_exact, corrected.p_holm, corrected.p_max, corrected.tested_n,
        case when corrected.p is not null then power(2.0e0, 1 - every_pair.units_n) end as attainable_p,
        case when $correction = 'holm' then corrected.p_holm else corrected.p_max end as p_used,
        case when $correction = 'holm' then corrected.tested_n else 1 end as steps,
        case
            when every_pair.n = 0 or every_pair.least_n = 0 then 'no_shared_questions'
            when every_pair.units_n = 1 then 'one_cluster'
            when every_pair.n < $questions_min then 'few_questions'
            when every_pair.ties_n = every_pair.n then 'identical'
        end as reason,
        case
            when every_pair.df is not null and every_pair.scope = 'overall' then 'macro_t'
            when every_pair.df is not null then 't'
            when every_pair.scope = 'dataset' and every_pair.units_n > 1 and card.high is not null then 'no_spread'
        end as method,
        card.scale, card.high - card.low as width,
        power($alpha / 2, 1.0e0 / nullif(every_pair.units_n, 0)) as kept
    from every_pair
    cross join card
    left join corrected
        on corrected.run_id = every_pair.run_id
        and corrected.scope = every_pair.scope
        and corrected.family = every_pair.family
        and corrected.a = every_pair.a
        and corrected.b = every_pair.b
),
-- Back from "a is better" to a less b.
signed as (
    select
        judged.*,
        case when card.better = 'lower' then -1 else 1 end as direction,
        t_quantile(1 - $alpha / 2, judged.df) * sqrt(judged.v) as reach
    from judged
    cross join card
),
bounded as (
    select
        signed.*,
        case
            when method in ('t', 'macro_t') then direction * m - reach
            when method = 'no_spread' then -width + (direction * m + width) * kept
        end as lower,
        case
            when method in ('t', 'macro_t') then direction * m + reach
            when method = 'no_spread' then width - (width - direction * m) * kept
        end as upper
    from signed
)
select
    bounded.run_id,
    bounded.scope,
    case when bounded.scope = 'dataset' then bounded.family end as dataset_id,
    bounded.a as approach_a,
    bounded.b as approach_b,
    bounded.direction * bounded.m as difference,
    case when bounded.scale = 'log' then exp(bounded.direction * bounded.m) end as ratio,
    bounded.lower,
    bounded.upper,
    bounded.method,
    sqrt(bounded.v) as se,
    bounded.df,
    bounded.n as shared_n,
    bounded.eligible_n,
    bounded.units_n,
    bounded.wins_n,
    bounded.ties_n,
    bounded.losses_n,
    (bounded.wins_n + bounded.ties_n / 2.0e0) / nullif(bounded.n, 0) as superiority,
    bounded.direction * bounded.m / bounded.sd as d_z,
    bounded.direction * bounded.m / bounded.sd * (1 - 3.0e0 / (4 * (bounded.n - 1) - 1)) as d_z_corrected,
    bounded.p,
    bounded.p_is_exact,
    bounded.p_holm,
    bounded.p_max,
    bounded.tested_n,
    bounded.attainable_p,
    (t_quantile(1 - $alpha / 2, bounded.df) + t_quantile($power, bounded.df)) * sqrt(bounded.v) as detectable,
    (t_quantile(1 - $alpha / bounded.tested_n / 2, bounded.df) + t_quantile($power, bounded.df)) * sqrt(bounded.v)
        as detectable_holm,
    case
        when bounded.p is null then 'not_estimable'
        when bounded.attainable_p * bounded.steps > $alpha then 'could_not'
        when bounded.p_used <= $alpha then 'different'
        else 'not_separable'
    end as verdict,
    case
        when bounded.attainable_p * bounded.steps <= $alpha and bounded.p_used <= $alpha
            then case when bounded.m > 0 then bounded.a else bounded.b end
    end as better_approach,
    bounded.reason
from bounded
order by bounded.run_id, bounded.scope, bounded.family, bounded.a, bounded.b
