-- name: metrics/audit_alpha_v1
-- purpose: Says how far the panel agrees as a whole: Krippendorff's alpha on scores, with a bootstrap interval over
--   questions, and on ranks (statistics contract, sections 3.5, 7 and 10).
-- grain: source_file
-- reads: panel_answers
-- param: panel_file (varchar, default null): only this sidecar or judgments file; null takes all, each on its own
-- param: seed (varchar, default "rag-showcase-v1"): seed of the resampling
-- param: replicates (bigint, default 1999): bootstrap replicates
-- param: confidence (double, default 0.95): level of the interval
-- param: units_min (bigint, default 10): fewest questions for an interval
-- column: source_file (varchar): the sidecar or judgments file
-- column: judges_n (bigint, judges): judges with a score that another judge can be compared with
-- column: pairable_n (bigint, scores): scores of answers with two scores or more
-- column: questions_n (bigint, questions): questions they belong to
-- column: alpha (double): interval alpha; 1 is agreement, 0 is what chance gives
-- column: alpha_ordinal (double): the same on midranks
-- column: lower (double): lower end of the interval of alpha
-- column: upper (double): upper end of the interval of alpha
-- column: used_n (bigint, replicates): replicates in which alpha exists
-- column: reason (varchar): no_scores, no_spread or few_units
-- order: source_file
-- nulls: alphas are null when there is nothing to compare or no spread; the interval is null with a reason
-- since: 0.1.0
with
panel as (
    select
        panel_answers.*,
        dense_rank() over (partition by panel_answers.source_file order by panel_answers.question_id) - 1 as g
    from panel_answers
    where $panel_file is null or panel_answers.source_file = $panel_file
),
paired as (
    select
        panel.source_file,
        panel.g,
        panel.approach,
        panel.judge,
        panel.steps_n as x,
        count(panel.steps_n) over (partition by panel.source_file, panel.g, panel.approach) as m
    from panel
    where panel.steps_n is not null
),
pairable as (
    select
        paired.*,
        2 * rank() over (partition by paired.source_file order by paired.x)
            + count(*) over (partition by paired.source_file, paired.x) - 1 as y
    from paired
    where paired.m >= 2
),
-- Twice the sum of squared differences within an answer, for scores and for ranks; whole numbers.
answer as (
    select
        source_file, g, approach, m,
        sum(cast(x as hugeint)) as x,
        sum(cast(x as hugeint) * x) as xx,
        sum(cast(y as hugeint)) as y,
        sum(cast(y as hugeint) * y) as yy
    from pairable
    group by source_file, g, approach, m
),
-- Five sums per question, all whole numbers: scores in millionths, disagreement in units of 1e-12 points squared.
question_sum as (
    select
        source_file,
        g,
        cast(sum(m) as bigint) as n,
        cast(sum(x) as bigint) as x,
        cast(sum(xx) as bigint) as xx,
        cast(sum(cast(floor(cast(2 * (m * xx - x * x) as double) / (m - 1) + 0.5) as bigint)) as bigint) as d,
        sum(y) as y,
        sum(yy) as yy,
        sum(cast(cast(2 * (m * yy - y * y) as double) / (m - 1) as decimal(38, 12))) as d_rank
    from answer
    group by source_file, g
),
whole as (
    select
        source_file,
        count(*) as questions_n,
        sum(n) as n,
        1 - cast(sum(d) as double) * (sum(n) - 1)
            / nullif(cast(2 * (sum(n) * sum(xx) - sum(x) * sum(x)) as double), 0) as alpha,
        1 - cast(sum(d_rank) as double) * (sum(n) - 1)
            / nullif(cast(2 * (sum(n) * sum(yy) - sum(y) * sum(y)) as double), 0) as alpha_ordinal
    from question_sum
    group by source_file
),
judge_count as (
    select source_file, count(distinct judge) as judges_n
    from pairable
    group by source_file
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
resampled as (
    select
        question_sum.source_file,
        drawn.r,
        sum(drawn.weight * question_sum.n) as n,
        sum(drawn.weight * question_sum.x) as x,
        sum(drawn.weight * question_sum.xx) as xx,
        sum(drawn.weight * question_sum.d) as d
    from question_sum
    inner join drawn on drawn.source_file = question_sum.source_file and drawn.g = question_sum.g
    group by question_sum.source_file, drawn.r
),
replicate_alpha as (
    select
        source_file,
        1 - cast(d as double) * (n - 1) / nullif(cast(2 * (n * xx - x * x) as double), 0) as alpha
    from resampled
),
sorted as (
    select
        source_file,
        alpha,
        row_number() over (partition by source_file order by alpha) as place,
        count(*) over (partition by source_file) as used_n
    from replicate_alpha
    where alpha is not null
),
level as (
    select source_file, expanded_level($confidence, questions_n) as level
    from whole
    where questions_n >= greatest($units_min, 2)
),
ends as (
    select
        sorted.source_file,
        max(sorted.used_n) as used_n,
        max(sorted.alpha) filter (
            where sorted.place = greatest(1, floor((sorted.used_n + 1) * level.level))
        ) as lower,
        max(sorted.alpha) filter (
            where sorted.used_n + 1 - sorted.place = greatest(1, floor((sorted.used_n + 1) * level.level))
        ) as upper
    from sorted
    inner join level on level.source_file = sorted.source_file
    group by sorted.source_file
),
file as (
    select distinct panel.source_file
    from panel
)
select
    file.source_file,
    coalesce(judge_count.judges_n, 0) as judges_n,
    coalesce(cast(whole.n as bigint), 0) as pairable_n,
    coalesce(whole.questions_n, 0) as questions_n,
    whole.alpha,
    whole.alpha_ordinal,
    case when whole.alpha is not null then ends.lower end as lower,
    case when whole.alpha is not null then ends.upper end as upper,
    ends.used_n,
    case
        when whole.n is null then 'no_scores'
        when whole.alpha is null then 'no_spread'
        when ends.lower is null then 'few_units'
    end as reason
from file
left join whole on whole.source_file = file.source_file
left join judge_count on judge_count.source_file = file.source_file
left join ends on ends.source_file = file.source_file
order by file.source_file
