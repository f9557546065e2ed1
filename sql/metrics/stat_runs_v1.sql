-- name: metrics/stat_runs_v1
-- purpose: Compares two runs on the questions that both have a score for: change with interval, sign-flip test with two
--   corrections, what missing scores could change, and whether these questions could have shown anything (statistics
--   contract, sections 1 and 3 to 5). One family of tests is one metric of one dataset, over all its approaches.
-- grain: dataset_id, metric, approach
-- reads: metric_cells, metric_cards, cells, scores, retrieval_scores, staging.run_marks, staging.run_mark_pairs
-- param: baseline_run_id (varchar, required): the earlier run
-- param: candidate_run_id (varchar, required): the run that is held against it
-- param: metric (varchar, default null): only this metric; null takes all
-- param: approach (varchar, default null): only this approach; null takes all
-- param: dataset_id (varchar, default null): only this dataset; null takes all
-- param: seed (varchar, default null): seed of the hashed sign patterns; null takes that of the later run
-- param: replicates (bigint, default 9999): hashed sign patterns
-- param: exact_units_max (bigint, default 15): up to so many units every sign pattern is tried
-- param: questions_min (bigint, default 5): fewest shared questions for a test
-- param: alpha (double, default 0.05): level of the tests, and 1 - level of the interval
-- param: correction (varchar, default "max"): max or holm, which one the verdict follows
-- column: dataset_id (varchar): the dataset
-- column: metric (varchar): the metric
-- column: approach (varchar): the approach
-- column: measured_by (varchar): evaluators or judges of both runs, or what retrieval is compared with
-- column: better (varchar): higher or lower
-- column: scale (varchar): raw, or log where means are geometric and differences are ratios
-- column: asked_n (bigint, questions): questions that both runs asked
-- column: eligible_n (bigint, questions): those the metric can apply to
-- column: baseline_scored_n (bigint, questions): questions with a score in the earlier run
-- column: candidate_scored_n (bigint, questions): questions with a score in the later one
-- column: shared_n (bigint, questions): questions with a score in both
-- column: units_n (bigint, units): shared questions or topics
-- column: baseline_mean (double): mean of the earlier run over the shared questions
-- column: candidate_mean (double): mean of the later one over the same questions
-- column: difference (double): mean of the later less that of the earlier, on the scale of comparison
-- column: lower (double): lower end of its interval, cut at the limits of the metric
-- column: upper (double): upper end
-- column: is_clipped (boolean): whether an end was cut
-- column: ratio (double): exp of the difference where logarithms are compared
-- column: ratio_lower (double): exp of the lower end
-- column: ratio_upper (double): exp of the upper end
-- column: method (varchar): t or no_spread
-- column: df (double): degrees of freedom
-- column: is_rough (boolean): whether there are fewer than 4 of them
-- column: lower_bound (double): smallest difference over all eligible questions, whatever the missing scores are
-- column: upper_bound (double): largest one
-- column: wins_n (bigint, questions): the later run is better
-- column: ties_n (bigint, questions): equal
-- column: losses_n (bigint, questions): the earlier run is better
-- column: p (double, 0..1): two-sided p-value of the sign-flip test
-- column: p_is_exact (boolean): whether every sign pattern was tried
-- column: p_holm (double, 0..1): corrected after Holm
-- column: p_max (double, 0..1): corrected by the step-down maximum of joint flips
-- column: tested_n (bigint, approaches): tests of the family
-- column: seed (varchar): seed of the sign patterns
-- column: attainable_p (double): the smallest p that these units allow
-- column: verdict (varchar): different, not_separable, could_not, not_estimable or identical; not_comparable in its place where the
--   instrument or the seed differs
-- column: better_run (varchar): baseline or candidate when different
-- column: reason (varchar): only_baseline, only_candidate, not_applicable, no_scores, no_shared_questions, few_questions or one_cluster
-- order: dataset_id, metric, approach
-- nulls: numbers are null where they cannot be had; p-values and attainable_p are null unless tested; bounds are null when a
--   missing score has no limit on that side; better_run is null unless different; measured_by is
--   null for what the runner counts itself
-- since: 0.1.0
with
held as materialized (
    select run_id, dataset_id, metric, approach, question_id, unit, steps_n, is_eligible, is_applicable
    from metric_cells
    where run_id in ($baseline_run_id, $candidate_run_id)
),
-- What either run has, so that nothing is left out because the other lacks it.
subject as (
    select
        dataset_id, metric, approach,
        bool_or(run_id = $baseline_run_id) as in_baseline,
        bool_or(run_id = $candidate_run_id) as in_candidate,
        bool_and(is_applicable) as is_applicable,
        count(steps_n) filter (where run_id = $baseline_run_id) as baseline_scored_n,
        count(steps_n) filter (where run_id = $candidate_run_id) as candidate_scored_n
    from held
    where
        ($metric is null or metric = $metric)
        and ($approach is null or approach = $approach)
        and ($dataset_id is null or dataset_id = $dataset_id)
    group by dataset_id, metric, approach
),
-- Who measured: the evaluators of both runs, their judges, or the question file.
scorer as (
    select named.metric, string_agg(named.name, ', ' order by named.name) as measured_by
    from (
        select distinct scores.metric, cells.evaluator_model as name
        from scores
        inner join cells on cells.row_id = scores.row_id
        where cells.run_id in ($baseline_run_id, $candidate_run_id) and scores.state = 'scored'
        union
        select 'judge_mean', unnest(string_split(value, ', '))
        from staging.run_marks
        where run_id in ($baseline_run_id, $candidate_run_id) and mark = 'judges'
        union
        select distinct retrieval_scores.metric, 'relevant_sources of the question file'
        from retrieval_scores
    ) as named
    where named.name is not null
    group by named.metric
),
card as (
    select
        metric_cards.*,
        case when better = 'lower' then -1 else 1 end as direction,
        case when scale = 'raw' then cast(floor(low / quantum + 0.5) as bigint) end as low_n,
        case when scale = 'raw' then cast(floor(high / quantum + 0.5) as bigint) end as high_n
    from metric_cards
),
-- One score beside the other. A missing one may be anything the metric allows; differences are candidate less baseline.
pair as (
    select
        candidate.dataset_id, candidate.metric, candidate.approach, candidate.unit,
        baseline.steps_n as baseline_n,
        candidate.steps_n as candidate_n,
        candidate.steps_n - baseline.steps_n as d,
        coalesce(candidate.steps_n, card.low_n) - coalesce(baseline.steps_n, card.high_n) as smallest_n,
        coalesce(candidate.steps_n, card.high_n) - coalesce(baseline.steps_n, card.low_n) as largest_n,
        card.direction
    from held as candidate
    inner join held as baseline
        on baseline.run_id = $baseline_run_id
        and baseline.dataset_id = candidate.dataset_id
        and baseline.approach = candidate.approach
        and baseline.metric = candidate.metric
        and baseline.question_id = candidate.question_id
    inner join subject
        on subject.dataset_id = candidate.dataset_id
        and subject.metric = candidate.metric
        and subject.approach = candidate.approach
    inner join card on card.metric = candidate.metric
    where
        candidate.run_id = $candidate_run_id
        and subject.is_applicable
        and baseline.is_eligible
        and candidate.is_eligible
),
pair_unit as (
    select dataset_id, metric, approach, unit, count(d) as n_g, cast(coalesce(sum(d), 0) as hugeint) as s_g
    from pair
    group by dataset_id, metric, approach, unit
),
question as (
    select
        dataset_id, metric, approach,
        count(*) as eligible_n,
        count(d) as shared_n,
        count(*) filter (where d * direction > 0) as wins_n,
        count(*) filter (where d = 0) as ties_n,
        count(*) filter (where d * direction < 0) as losses_n,
        sum(baseline_n) filter (where d is not null) as baseline_s,
        sum(candidate_n) filter (where d is not null) as candidate_s,
        case when count(smallest_n) = count(*) then sum(smallest_n) end as smallest_s,
        case when count(largest_n) = count(*) then sum(largest_n) end as largest_s
    from pair
    group by dataset_id, metric, approach
),
total as (
    select
        dataset_id, metric, approach,
        cast(sum(n_g) as bigint) as n,
        cast(sum(s_g) as hugeint) as s,
        count(*) filter (where n_g > 0) as units_n,
        max(cast(s_g as double) / nullif(n_g, 0)) > min(cast(s_g as double) / nullif(n_g, 0)) as has_spread
    from pair_unit
    group by dataset_id, metric, approach
),
part as (
    select
        total.dataset_id, total.metric, total.approach,
        cast(pair_unit.n_g as double) / total.n as share,
        cast(total.n * pair_unit.s_g - pair_unit.n_g * total.s as double) / total.n * card.quantum as residual
    from total
    inner join pair_unit
        on pair_unit.dataset_id = total.dataset_id
        and pair_unit.metric = total.metric
        and pair_unit.approach = total.approach
    inner join card on card.metric = total.metric
    where total.units_n > 1 and total.has_spread and pair_unit.n_g > 0
),
variance as (
    select
        dataset_id, metric, approach,
        decimal_sum(residual * residual / (1 - share)) as squares,
        1 / (
            decimal_sum(share * share)
            + power(decimal_sum(share * share / (1 - share)), 2)
            - decimal_sum(power(share * share / (1 - share), 2))
        ) as df
    from part
    group by dataset_id, metric, approach
),
moment as (
    select
        question.*,
        total.units_n,
        cast(question.baseline_s as double) * card.quantum / nullif(total.n, 0) as baseline_m,
        cast(question.candidate_s as double) * card.quantum / nullif(total.n, 0) as candidate_m,
        cast(total.s as double) * card.quantum / nullif(total.n, 0) as m,
        variance.squares / total.n / total.n as v,
        variance.df,
        card.high - card.low as width,
        cast(question.smallest_s as double) * card.quantum / nullif(question.eligible_n, 0) as lower_bound,
        cast(question.largest_s as double) * card.quantum / nullif(question.eligible_n, 0) as upper_bound
    from question
    inner join total
        on total.dataset_id = question.dataset_id
        and total.metric = question.metric
        and total.approach = question.approach
    inner join card on card.metric = question.metric
    left join variance
        on variance.dataset_id = question.dataset_id
        and variance.metric = question.metric
        and variance.approach = question.approach
),
-- Questions asked of both, also where the metric has no score or cannot apply.
asked as (
    select baseline.dataset_id, baseline.approach, count(*) as asked_n
    from cells as baseline
    inner join cells as candidate
        on candidate.dataset_id = baseline.dataset_id
        and candidate.approach = baseline.approach
        and candidate.question_id = baseline.question_id
        and candidate.run_id = $candidate_run_id
    where baseline.run_id = $baseline_run_id
    group by baseline.dataset_id, baseline.approach
),
marked as (
    select distinct dataset_id
    from staging.run_mark_pairs
    where
        baseline_run_id = $baseline_run_id
        and candidate_run_id = $candidate_run_id
        and kind in ('instrument', 'seed')
        and differs
),
tested as (
    select dataset_id, metric, approach
    from moment
    where shared_n >= $questions_min and units_n > 1
),
drawing as (
    select coalesce($seed, (select min(seed) from cells where run_id = $candidate_run_id), 'rag-showcase-v1') as seed
),
-- Units are numbered over all that the runs planned, so that all approaches and metrics share their signs.
unit as (
    select dataset_id, unit, row_number() over (partition by dataset_id order by unit) - 1 as g
    from (select distinct dataset_id, unit from held) as planned
),
flipped_unit as (
    select pair_unit.dataset_id, pair_unit.metric, pair_unit.approach, unit.g, pair_unit.s_g as s
    from pair_unit
    inner join tested
        on tested.dataset_id = pair_unit.dataset_id
        and tested.metric = pair_unit.metric
        and tested.approach = pair_unit.approach
    inner join unit on unit.dataset_id = pair_unit.dataset_id and unit.unit = pair_unit.unit
),
place as (
    select
        moving.*,
        row_number() over (partition by moving.dataset_id, moving.metric order by moving.g) - 1 as place,
        count(*) over (partition by moving.dataset_id, moving.metric) as places_n
    from (select distinct dataset_id, metric, g from flipped_unit where s <> 0) as moving
),
family as (
    select dataset_id, metric, max(places_n) as places_n, max(places_n) <= $exact_units_max as is_exact
    from place
    group by dataset_id, metric
),
vector as (
    select
        tested.dataset_id, tested.metric, tested.approach,
        vector_of(coalesce(flipped_unit.s, 0), place.place) as s,
        abs(cast(sum(coalesce(flipped_unit.s, 0)) as double)) as t,
        sqrt(cast(sum(coalesce(flipped_unit.s, 0) * coalesce(flipped_unit.s, 0)) as double)) as norm,
        count(*) filter (where flipped_unit.s <> 0) as moving_n
    from tested
    inner join place on place.dataset_id = tested.dataset_id and place.metric = tested.metric
    left join flipped_unit
        on flipped_unit.dataset_id = tested.dataset_id
        and flipped_unit.metric = tested.metric
        and flipped_unit.approach = tested.approach
        and flipped_unit.g = place.g
    group by tested.dataset_id, tested.metric, tested.approach
),
-- A hashed word holds the signs of 48 units; every place knows its word and its bit.
block as (
    select
        used.*,
        row_number() over (partition by used.dataset_id, used.metric order by used.block) as number,
        resample_base('flip', drawing.seed, used.dataset_id) as base
    from (select distinct dataset_id, metric, cast(floor(g / 48) as bigint) as block from place) as used
    cross join drawing
),
layout as (
    select
        place.dataset_id, place.metric,
        vector_of(block.number, place.place) as words,
        vector_of(place.g % 48, place.place) as bits
    from place
    inner join block
        on block.dataset_id = place.dataset_id and block.metric = place.metric and block.block = floor(place.g / 48)
    group by place.dataset_id, place.metric
),
seeds as (
    select dataset_id, metric, list_of(base, number) as bases, vector_of(block, number) as blocks
    from block
    group by dataset_id, metric
),
hashed as (
    select seeds.dataset_id, seeds.metric, replicate.r, flip_words(seeds.bases, seeds.blocks, replicate.r) as words
    from seeds
    inner join family on family.dataset_id = seeds.dataset_id and family.metric = seeds.metric
    cross join (select unnest(range(cast($replicates as bigint))) as r) as replicate
    where not family.is_exact
),
-- In an exact family the sign of a place is a bit of the number of the pattern.
pattern as (
    select family.dataset_id, family.metric, numbered.r, flip_signs_of_number(numbered.r, family.places_n) as signs
    from family
    cross join (select unnest(range(cast(power(2, $exact_units_max) as bigint))) as r) as numbered
    where family.is_exact and numbered.r < power(2, family.places_n)
    union all
    select hashed.dataset_id, hashed.metric, hashed.r, flip_signs(hashed.words, layout.words, layout.bits)
    from hashed
    inner join layout on layout.dataset_id = hashed.dataset_id and layout.metric = hashed.metric
),
ordered as (
    select
        vector.*,
        case when vector.norm > 0 then vector.t / vector.norm else 0.0e0 end as z,
        row_number() over (
            partition by vector.dataset_id, vector.metric
            order by case when vector.norm > 0 then vector.t / vector.norm else 0.0e0 end desc, vector.approach
        ) as k,
        family.is_exact
    from vector
    inner join family on family.dataset_id = vector.dataset_id and family.metric = vector.metric
),
flipped as (
    select
        ordered.dataset_id, ordered.metric, pattern.r, ordered.k, ordered.t, ordered.z,
        abs(dot_product(pattern.signs, ordered.s)) as t_flipped,
        case when ordered.norm > 0 then abs(dot_product(pattern.signs, ordered.s)) / ordered.norm else 0.0e0 end
            as z_flipped
    from ordered
    inner join pattern on pattern.dataset_id = ordered.dataset_id and pattern.metric = ordered.metric
),
running as (
    select
        dataset_id, metric, k,
        t_flipped >= t as is_extreme,
        max(z_flipped) over (partition by dataset_id, metric, r order by k desc rows unbounded preceding)
            >= z * (1 - 1e-12) as is_top_extreme
    from flipped
),
counted as (
    select
        dataset_id, metric, k,
        count(*) as patterns_n,
        count(*) filter (where is_extreme) as extreme_n,
        count(*) filter (where is_top_extreme) as top_extreme_n
    from running
    group by dataset_id, metric, k
),
-- An approach that few units move has an exact p of its own, also where its family has many units.
small as (
    select
        ordered.dataset_id, ordered.metric, ordered.k, ordered.t, ordered.moving_n,
        vector_of(moving.s, moving.place) as s
    from ordered
    inner join (
        select
            flipped_unit.*,
            row_number() over (
                partition by flipped_unit.dataset_id, flipped_unit.metric, flipped_unit.approach order by flipped_unit.g
            ) - 1 as place
        from flipped_unit
        where flipped_unit.s <> 0
    ) as moving
        on moving.dataset_id = ordered.dataset_id
        and moving.metric = ordered.metric
        and moving.approach = ordered.approach
    where not ordered.is_exact and ordered.moving_n <= $exact_units_max
    group by ordered.dataset_id, ordered.metric, ordered.k, ordered.t, ordered.moving_n
),
small_pattern as (
    select size.moving_n, numbered.r, flip_signs_of_number(numbered.r, size.moving_n) as signs
    from (select distinct moving_n from small) as size
    cross join (select unnest(range(cast(power(2, $exact_units_max) as bigint))) as r) as numbered
    where numbered.r < power(2, size.moving_n)
),
small_counted as (
    select
        small.dataset_id, small.metric, small.k,
        count(*) as patterns_n,
        count(*) filter (where abs(dot_product(small_pattern.signs, small.s)) >= small.t) as extreme_n
    from small
    inner join small_pattern on small_pattern.moving_n = small.moving_n
    group by small.dataset_id, small.metric, small.k
),
raw as (
    select
        ordered.dataset_id, ordered.metric, ordered.approach, ordered.k,
        ordered.is_exact or small_counted.patterns_n is not null or ordered.moving_n = 0 as p_is_exact,
        case
            when ordered.moving_n = 0 then 1.0e0
            when ordered.is_exact then cast(counted.extreme_n as double) / counted.patterns_n
            when small_counted.patterns_n is not null
                then cast(small_counted.extreme_n as double) / small_counted.patterns_n
            else cast(counted.extreme_n + 1 as double) / (counted.patterns_n + 1)
        end as p,
        case
            when ordered.is_exact then cast(counted.top_extreme_n as double) / counted.patterns_n
            else cast(counted.top_extreme_n + 1 as double) / (counted.patterns_n + 1)
        end as p_top
    from ordered
    inner join counted
        on counted.dataset_id = ordered.dataset_id and counted.metric = ordered.metric and counted.k = ordered.k
    left join small_counted
        on small_counted.dataset_id = ordered.dataset_id
        and small_counted.metric = ordered.metric
        and small_counted.k = ordered.k
    union all
    -- A family in which nothing differs anywhere has no unit to flip.
    select tested.dataset_id, tested.metric, tested.approach, 1, true, 1.0e0, 1.0e0
    from tested
    left join family on family.dataset_id = tested.dataset_id and family.metric = tested.metric
    where family.metric is null
),
numbered_p as (
    select
        raw.*,
        row_number() over (partition by dataset_id, metric order by p, approach) as i,
        count(*) over (partition by dataset_id, metric) as tested_n
    from raw
),
corrected as (
    select
        numbered_p.*,
        max(least(1.0e0, p * (tested_n - i + 1))) over (
            partition by dataset_id, metric order by i rows unbounded preceding
        ) as p_holm,
        max(p_top) over (partition by dataset_id, metric order by k, approach rows unbounded preceding) as p_max
    from numbered_p
),
judged as (
    select
        subject.*,
        scorer.measured_by,
        card.better,
        card.scale,
        card.direction,
        coalesce(asked.asked_n, 0) as asked_n,
        coalesce(moment.eligible_n, 0) as eligible_n,
        coalesce(moment.shared_n, 0) as shared_n,
        coalesce(moment.units_n, 0) as units_n,
        coalesce(moment.wins_n, 0) as wins_n,
        coalesce(moment.ties_n, 0) as ties_n,
        coalesce(moment.losses_n, 0) as losses_n,
        moment.baseline_m, moment.candidate_m, moment.m, moment.v, moment.df, moment.width,
        moment.lower_bound, moment.upper_bound,
        corrected.p, corrected.p_is_exact, corrected.p_holm, corrected.p_max, corrected.tested_n,
        case when corrected.p is not null then power(2.0e0, 1 - moment.units_n) end as attainable_p,
        case when $correction = 'holm' then corrected.p_holm else corrected.p_max end as p_used,
        case when $correction = 'holm' then corrected.tested_n else 1 end as steps,
        marked.dataset_id is not null as is_marked,
        case
            when moment.df is not null then 't'
            when moment.units_n > 1 and moment.width is not null then 'no_spread'
        end as method,
        power($alpha / 2, 1.0e0 / nullif(moment.units_n, 0)) as kept,
        case
            when not subject.in_candidate then 'only_baseline'
            when not subject.in_baseline then 'only_candidate'
            when not subject.is_applicable then 'not_applicable'
            when coalesce(asked.asked_n, 0) = 0 then 'no_shared_questions'
            when subject.baseline_scored_n = 0 or subject.candidate_scored_n = 0 then 'no_scores'
            when coalesce(moment.shared_n, 0) = 0 then 'no_shared_questions'
            when moment.shared_n < $questions_min then 'few_questions'
            when moment.units_n = 1 then 'one_cluster'
        end as reason
    from subject
    inner join card on card.metric = subject.metric
    left join scorer on scorer.metric = subject.metric
    left join asked on asked.dataset_id = subject.dataset_id and asked.approach = subject.approach
    left join marked on marked.dataset_id = subject.dataset_id
    left join moment
        on moment.dataset_id = subject.dataset_id
        and moment.metric = subject.metric
        and moment.approach = subject.approach
    left join corrected
        on corrected.dataset_id = subject.dataset_id
        and corrected.metric = subject.metric
        and corrected.approach = subject.approach
),
bounded as (
    select
        judged.*,
        case
            when method = 't' then m - t_quantile(1 - $alpha / 2, df) * sqrt(v)
            when method = 'no_spread' then -width + (m + width) * kept
        end as lower,
        case
            when method = 't' then m + t_quantile(1 - $alpha / 2, df) * sqrt(v)
            when method = 'no_spread' then width - (width - m) * kept
        end as upper,
        case
            when p is null then 'not_estimable'
            when is_marked then 'not_comparable'
            when ties_n = shared_n then 'identical'
            when attainable_p * steps > $alpha then 'could_not'
            when p_used <= $alpha then 'different'
            else 'not_separable'
        end as verdict
    from judged
)
select
    bounded.dataset_id,
    bounded.metric,
    bounded.approach,
    bounded.measured_by,
    bounded.better,
    bounded.scale,
    bounded.asked_n,
    bounded.eligible_n,
    bounded.baseline_scored_n,
    bounded.candidate_scored_n,
    bounded.shared_n,
    bounded.units_n,
    case when bounded.scale = 'log' then exp(bounded.baseline_m) else bounded.baseline_m end as baseline_mean,
    case when bounded.scale = 'log' then exp(bounded.candidate_m) else bounded.candidate_m end as candidate_mean,
    bounded.m as difference,
    case when bounded.lower is not null then greatest(bounded.lower, -bounded.width) end as lower,
    case when bounded.upper is not null then least(bounded.upper, bounded.width) end as upper,
    coalesce(bounded.lower < -bounded.width or bounded.upper > bounded.width, false) as is_clipped,
    case when bounded.scale = 'log' then exp(bounded.m) end as ratio,
    case when bounded.scale = 'log' then exp(bounded.lower) end as ratio_lower,
    case when bounded.scale = 'log' then exp(bounded.upper) end as ratio_upper,
    bounded.method,
    bounded.df,
    coalesce(bounded.df < 4, false) as is_rough,
    bounded.lower_bound,
    bounded.upper_bound,
    bounded.wins_n,
    bounded.ties_n,
    bounded.losses_n,
    bounded.p,
    bounded.p_is_exact,
    bounded.p_holm,
    bounded.p_max,
    bounded.tested_n,
    drawing.seed,
    bounded.attainable_p,
    bounded.verdict,
    case when bounded.verdict = 'different' then case when bounded.m * bounded.direction > 0 then 'candidate' else 'baseline' end end
        as better_run,
    bounded.reason
from bounded
cross join drawing
order by bounded.dataset_id, bounded.metric, bounded.approach
