-- name: metrics/audit_pairs_v1
-- purpose: Says how far two judges agree on the answers that both scored: quadratic-weighted kappa in closed form with a
--   bootstrap interval over questions, Spearman's rank correlation, equal scores, mean distance (statistics contract,
--   sections 3.5, 7 and 10).
-- grain: source_file, judge_a, judge_b
-- reads: panel_answers
-- param: panel_file (varchar, default null): only this sidecar or judgments file; null takes all, each on its own
-- param: seed (varchar, default "rag-showcase-v1"): seed of the resampling
-- param: replicates (bigint, default 1999): bootstrap replicates
-- param: confidence (double, default 0.95): level of the interval
-- param: units_min (bigint, default 10): fewest questions for an interval
-- column: source_file (varchar): the sidecar or judgments file
-- column: judge_a (varchar): the first judge by name
-- column: judge_b (varchar): the second
-- column: both_n (bigint, answers): answers that both scored
-- column: questions_n (bigint, questions): questions they belong to
-- column: kappa (double, -1..1): quadratic-weighted kappa
-- column: kappa_lower (double): lower end of its interval
-- column: kappa_upper (double): upper end of its interval
-- column: kappa_reason (varchar): no_scores, no_spread or few_units
-- column: spearman (double, -1..1): correlation of midranks
-- column: equal_ratio (double, 0..1): answers with the same score
-- column: mean_distance (double, 0..4): mean absolute difference
-- order: source_file, judge_a, judge_b
-- nulls: numbers are null without shared answers; kappa and its interval are null with a reason; spearman is null when
--   either judge gives a single score
-- since: 0.1.0
with
panel as (
    select
        panel_answers.*,
        dense_rank() over (partition by panel_answers.source_file order by panel_answers.question_id) - 1 as g
    from panel_answers
    where ($panel_file is null or panel_answers.source_file = $panel_file)
),
judge as (
    select distinct panel.source_file, panel.judge
    from panel
),
pair as (
    select judge.source_file, judge.judge as judge_a, other.judge as judge_b
    from judge
    inner join judge as other on other.source_file = judge.source_file and other.judge > judge.judge
),
both_scored as (
    select
        panel.source_file,
        panel.judge as judge_a,
        other.judge as judge_b,
        panel.g,
        panel.steps_n as x,
        other.steps_n as y
    from panel
    inner join panel as other
        on other.source_file = panel.source_file
        and other.g = panel.g
        and other.approach = panel.approach
        and other.judge > panel.judge
    where panel.steps_n is not null and other.steps_n is not null
),
-- Twice the midrank, a whole number.
ranked as (
    select
        both_scored.*,
        2 * rank() over (
            partition by both_scored.source_file, both_scored.judge_a, both_scored.judge_b order by both_scored.x
        ) + count(*) over (
            partition by both_scored.source_file, both_scored.judge_a, both_scored.judge_b, both_scored.x
        ) - 1 as rank_x,
        2 * rank() over (
            partition by both_scored.source_file, both_scored.judge_a, both_scored.judge_b order by both_scored.y
        ) + count(*) over (
            partition by both_scored.source_file, both_scored.judge_a, both_scored.judge_b, both_scored.y
        ) - 1 as rank_y
    from both_scored
),
question_sum as (
    select
        source_file, judge_a, judge_b, g,
        count(*) as n,
        cast(sum(x) as bigint) as x,
        cast(sum(y) as bigint) as y,
        cast(sum(x * x) as bigint) as xx,
        cast(sum(y * y) as bigint) as yy,
        cast(sum((x - y) * (x - y)) as bigint) as dd,
        sum(abs(x - y)) as distance,
        count(*) filter (where x = y) as equal_n,
        sum(cast(rank_x as hugeint) * rank_x) as rank_xx,
        sum(cast(rank_y as hugeint) * rank_y) as rank_yy,
        sum(cast(rank_x as hugeint) * rank_y) as rank_xy
    from ranked
    group by source_file, judge_a, judge_b, g
),
pair_sum as (
    select
        source_file, judge_a, judge_b,
        count(*) as questions_n,
        sum(n) as n, sum(x) as x, sum(y) as y, sum(xx) as xx, sum(yy) as yy, sum(dd) as dd,
        sum(distance) as distance, sum(equal_n) as equal_n,
        sum(rank_xx) as rank_xx, sum(rank_yy) as rank_yy, sum(rank_xy) as rank_xy
    from question_sum
    group by source_file, judge_a, judge_b
),
unit as (
    select distinct panel.source_file, panel.g, unit_count.units
    from panel
    inner join (
        select panel.source_file, count(distinct panel.g) as units
        from panel
        group by panel.source_file
    ) as unit_count on unit_count.source_file = panel.source_file
),
drawn as (
    select
        unit.source_file,
        replicate.r,
        drawn_unit(resample_base('draw', $seed, 'panel'), replicate.r, unit.g, unit.units) as g,
        count(*) as weight
    from unit
    cross join (select unnest(range(cast($replicates as bigint))) as r) as replicate
    group by
        unit.source_file,
        replicate.r,
        drawn_unit(resample_base('draw', $seed, 'panel'), replicate.r, unit.g, unit.units)
),
weights as (
    select unit.source_file, replicate.r, vector_of(coalesce(drawn.weight, 0), unit.g) as weights
    from unit
    cross join (select unnest(range(cast($replicates as bigint))) as r) as replicate
    left join drawn on drawn.source_file = unit.source_file and drawn.r = replicate.r and drawn.g = unit.g
    group by unit.source_file, replicate.r
),
-- Sums of every question in the order of the questions; a question that the pair does not share adds nothing.
vectors as (
    select
        pair_sum.source_file,
        pair_sum.judge_a,
        pair_sum.judge_b,
        vector_of(coalesce(question_sum.n, 0), unit.g) as n,
        vector_of(coalesce(question_sum.x, 0) / 1e6, unit.g) as x,
        vector_of(coalesce(question_sum.y, 0) / 1e6, unit.g) as y,
        vector_of(coalesce(question_sum.xx + question_sum.yy, 0) / 1e12, unit.g) as squares,
        vector_of(coalesce(question_sum.dd, 0) / 1e12, unit.g) as dd
    from pair_sum
    inner join unit on unit.source_file = pair_sum.source_file
    left join question_sum
        on question_sum.source_file = pair_sum.source_file
        and question_sum.judge_a = pair_sum.judge_a
        and question_sum.judge_b = pair_sum.judge_b
        and question_sum.g = unit.g
    group by pair_sum.source_file, pair_sum.judge_a, pair_sum.judge_b
),
resampled as (
    select
        vectors.source_file,
        vectors.judge_a,
        vectors.judge_b,
        dot_product(weights.weights, vectors.n) as n,
        dot_product(weights.weights, vectors.x) as x,
        dot_product(weights.weights, vectors.y) as y,
        dot_product(weights.weights, vectors.squares) as squares,
        dot_product(weights.weights, vectors.dd) as dd
    from vectors
    inner join weights on weights.source_file = vectors.source_file
),
replicate_kappa as (
    select
        source_file, judge_a, judge_b,
        1 - dd * n / nullif(n * squares - 2 * x * y, 0) as kappa
    from resampled
),
sorted as (
    select
        source_file, judge_a, judge_b, kappa,
        row_number() over (partition by source_file, judge_a, judge_b order by kappa) as place,
        count(*) over (partition by source_file, judge_a, judge_b) as used
    from replicate_kappa
    where kappa is not null
),
level as (
    select source_file, judge_a, judge_b, expanded_level($confidence, questions_n) as level
    from pair_sum
    where questions_n >= greatest($units_min, 2)
),
ends as (
    select
        sorted.source_file,
        sorted.judge_a,
        sorted.judge_b,
        max(sorted.kappa) filter (
            where sorted.place = greatest(1, floor((sorted.used + 1) * level.level))
        ) as lower_end,
        max(sorted.kappa) filter (
            where sorted.used + 1 - sorted.place = greatest(1, floor((sorted.used + 1) * level.level))
        ) as upper_end
    from sorted
    inner join level
        on level.source_file = sorted.source_file
        and level.judge_a = sorted.judge_a
        and level.judge_b = sorted.judge_b
    group by sorted.source_file, sorted.judge_a, sorted.judge_b
),
measured as (
    select
        pair.source_file,
        pair.judge_a,
        pair.judge_b,
        coalesce(cast(pair_sum.n as bigint), 0) as both_n,
        coalesce(pair_sum.questions_n, 0) as questions_n,
        1 - cast(pair_sum.n * pair_sum.dd as double)
            / nullif(cast(pair_sum.n * (pair_sum.xx + pair_sum.yy) - 2 * pair_sum.x * pair_sum.y as double), 0) as kappa,
        cast(pair_sum.rank_xy - pair_sum.n * (pair_sum.n + 1) * (pair_sum.n + 1) as double)
            / nullif(sqrt(cast(pair_sum.rank_xx - pair_sum.n * (pair_sum.n + 1) * (pair_sum.n + 1) as double)
                * cast(pair_sum.rank_yy - pair_sum.n * (pair_sum.n + 1) * (pair_sum.n + 1) as double)), 0) as spearman,
        cast(pair_sum.equal_n as double) / pair_sum.n as equal_ratio,
        cast(pair_sum.distance as double) / pair_sum.n / 1e6 as mean_distance
    from pair
    left join pair_sum
        on pair_sum.source_file = pair.source_file
        and pair_sum.judge_a = pair.judge_a
        and pair_sum.judge_b = pair.judge_b
)
select
    measured.source_file,
    measured.judge_a,
    measured.judge_b,
    measured.both_n,
    measured.questions_n,
    measured.kappa,
    case when measured.kappa is not null then ends.lower_end end as kappa_lower,
    case when measured.kappa is not null then ends.upper_end end as kappa_upper,
    case
        when measured.both_n = 0 then 'no_scores'
        when measured.kappa is null then 'no_spread'
        when ends.lower_end is null then 'few_units'
    end as kappa_reason,
    measured.spearman,
    measured.equal_ratio,
    measured.mean_distance
from measured
left join ends
    on ends.source_file = measured.source_file
    and ends.judge_a = measured.judge_a
    and ends.judge_b = measured.judge_b
order by measured.source_file, measured.judge_a, measured.judge_b
