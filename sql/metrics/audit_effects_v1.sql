-- name: metrics/audit_effects_v1
-- purpose: Says how scores go with the place in the prompt and with the length of the answer, once the question and the
--   approach are taken out: slopes within complete blocks, with intervals by question (statistics contract, section 7). An
--   association in this panel, not a cause.
-- grain: source_file, effect, judge
-- reads: panel_answers
-- param: panel_file (varchar, default null): only this sidecar or judgments file; null takes all, each on its own
-- param: characters_max (bigint, default 1200): characters of an answer that a prompt shows at most
-- param: confidence (double, default 0.95): level of the interval
-- column: source_file (varchar): the sidecar or judgments file
-- column: effect (varchar): position (points per place) or length (points per doubling)
-- column: judge (varchar): the judge
-- column: blocks_n (bigint, blocks): pairs of question and judge
-- column: used_n (bigint, blocks): those in which every approach has a score and a known place or length
-- column: questions_n (bigint, questions): questions of the used blocks
-- column: slope (double): points per place, or per doubling of the characters shown
-- column: se (double): its standard error, clustered by question
-- column: df (bigint): degrees of freedom, questions less one
-- column: lower (double): lower end of the interval
-- column: upper (double): upper end of the interval
-- column: reason (varchar): no_scores, no_variation or one_question
-- order: source_file, effect, judge nulls first
-- nulls: judge is null for the panel as a whole; numbers are null with a reason
-- since: 0.1.0
with
panel as (
    select panel_answers.*
    from panel_answers
    where $panel_file is null or panel_answers.source_file = $panel_file
),
-- Regressors as whole numbers: places, and 1e-12 of a doubling.
long as (
    select panel.*, 'position' as effect, cast(panel.position as bigint) as x, 1.0e0 as x_unit
    from panel
    union all
    select
        panel.*,
        'length',
        case
            when panel.characters_n > 0
                then cast(floor(log2(least(panel.characters_n, $characters_max)) * 1e12 + 0.5) as bigint)
        end,
        1e12
    from panel
),
block as (
    select
        source_file, effect, judge, question_id,
        count(*) = count(steps_n) and count(*) = count(x) as is_complete
    from long
    group by source_file, effect, judge, question_id
),
scope as (
    select distinct source_file, effect, judge as scope_judge, judge
    from block
    union all
    select distinct source_file, effect, cast(null as varchar), judge
    from block
),
block_count as (
    select
        scope.source_file, scope.effect, scope.scope_judge,
        count(*) as blocks_n,
        count(*) filter (where block.is_complete) as used_n,
        count(distinct block.question_id) filter (where block.is_complete) as questions_n
    from scope
    inner join block
        on block.source_file = scope.source_file and block.effect = scope.effect and block.judge = scope.judge
    group by scope.source_file, scope.effect, scope.scope_judge
),
used as (
    select
        scope.source_file, scope.effect, scope.scope_judge, long.judge, long.question_id, long.approach,
        long.steps_n as y, long.x, long.x_unit
    from scope
    inner join block
        on block.source_file = scope.source_file and block.effect = scope.effect and block.judge = scope.judge
    inner join long
        on long.source_file = block.source_file
        and long.effect = block.effect
        and long.judge = block.judge
        and long.question_id = block.question_id
    where block.is_complete
),
-- Means from exact sums; the four parts of the two-way residual, in points and in places or doublings.
swept as (
    select
        used.*,
        cast(sum(y) over by_block as double) / count(*) over by_block as y_block,
        cast(sum(y) over by_approach as double) / count(*) over by_approach as y_approach,
        cast(sum(y) over by_scope as double) / count(*) over by_scope as y_scope,
        cast(sum(x) over by_block as double) / count(*) over by_block as x_block,
        cast(sum(x) over by_approach as double) / count(*) over by_approach as x_approach,
        cast(sum(x) over by_scope as double) / count(*) over by_scope as x_scope
    from used
    window
        by_block as (partition by source_file, effect, scope_judge, judge, question_id),
        by_approach as (partition by source_file, effect, scope_judge, approach),
        by_scope as (partition by source_file, effect, scope_judge)
),
residual as (
    select
        source_file, effect, scope_judge, question_id,
        (y - y_block - y_approach + y_scope) / 1e6 as y,
        (x - x_block - x_approach + x_scope) / x_unit as x
    from swept
),
sloped as (
    select
        source_file, effect, scope_judge,
        decimal_sum(x * x) as xx,
        case when decimal_sum(x * x) > 1e-9 then decimal_sum(x * y) / decimal_sum(x * x) end as slope
    from residual
    group by source_file, effect, scope_judge
),
influence as (
    select
        residual.source_file, residual.effect, residual.scope_judge, residual.question_id,
        decimal_sum(residual.x * (residual.y - sloped.slope * residual.x)) as u
    from residual
    inner join sloped
        on sloped.source_file = residual.source_file
        and sloped.effect = residual.effect
        and sloped.scope_judge is not distinct from residual.scope_judge
    where sloped.slope is not null
    group by residual.source_file, residual.effect, residual.scope_judge, residual.question_id
),
spread as (
    select source_file, effect, scope_judge, count(*) as questions_n, decimal_sum(u * u) as uu
    from influence
    group by source_file, effect, scope_judge
),
measured as (
    select
        block_count.*,
        sloped.slope,
        case
            when spread.questions_n > 1
                then sqrt(cast(spread.questions_n as double) / (spread.questions_n - 1) * spread.uu) / sloped.xx
        end as se,
        case when spread.questions_n > 1 then spread.questions_n - 1 end as df
    from block_count
    left join sloped
        on sloped.source_file = block_count.source_file
        and sloped.effect = block_count.effect
        and sloped.scope_judge is not distinct from block_count.scope_judge
    left join spread
        on spread.source_file = block_count.source_file
        and spread.effect = block_count.effect
        and spread.scope_judge is not distinct from block_count.scope_judge
)
select
    measured.source_file,
    measured.effect,
    measured.scope_judge as judge,
    measured.blocks_n,
    measured.used_n,
    measured.questions_n,
    measured.slope,
    measured.se,
    measured.df,
    measured.slope - t_quantile((1 + $confidence) / 2, measured.df) * measured.se as lower,
    measured.slope + t_quantile((1 + $confidence) / 2, measured.df) * measured.se as upper,
    case
        when measured.used_n = 0 then 'no_scores'
        when measured.slope is null then 'no_variation'
        when measured.df is null then 'one_question'
    end as reason
from measured
order by measured.source_file, measured.effect, measured.scope_judge nulls first
