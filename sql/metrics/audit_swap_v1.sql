-- name: metrics/audit_swap_v1
-- purpose: Says how much a place in the prompt changes the score of the same answer, from judges that were asked in both
--   orders; the quality of the answer cancels (statistics contract, section 7).
-- grain: source_file, judge
-- reads: verdict_scores
-- param: panel_file (varchar, default null): only this sidecar; null takes all, each on its own
-- param: confidence (double, default 0.95): level of the interval
-- column: source_file (varchar): the verdict sidecar
-- column: judge (varchar): the judge
-- column: answers_n (bigint, answers): answers scored in both orders
-- column: questions_n (bigint, questions): questions they belong to
-- column: slope (double): points per place towards the end
-- column: se (double): its standard error, clustered by question
-- column: df (bigint): degrees of freedom, questions less one
-- column: lower (double): lower end of the interval
-- column: upper (double): upper end of the interval
-- column: reason (varchar): no_variation or one_question
-- order: source_file, judge nulls first
-- nulls: judge is null for the panel as a whole; numbers are null with a reason
-- since: 0.1.0
with
twice as (
    select
        forward.source_file,
        forward.question_id,
        forward.judge,
        cast(forward.position - reverse.position as bigint) as dx,
        cast(floor(forward.score * 1e6 + 0.5) as bigint) - cast(floor(reverse.score * 1e6 + 0.5) as bigint) as dy
    from verdict_scores as forward
    inner join verdict_scores as reverse
        on reverse.source_file = forward.source_file
        and reverse.question_id = forward.question_id
        and reverse.judge = forward.judge
        and reverse.approach = forward.approach
    where
        forward.direction = 'forward'
        and reverse.direction = 'reverse'
        and forward.is_current
        and reverse.is_current
        and not forward.is_planted
        and forward.score is not null
        and reverse.score is not null
        and ($panel_file is null or forward.source_file = $panel_file)
),
scoped as (
    select source_file, question_id, judge as scope_judge, dx, dy
    from twice
    union all
    select source_file, question_id, cast(null as varchar), dx, dy
    from twice
),
question_sum as (
    select
        source_file, scope_judge, question_id, count(*) as answers_n,
        cast(sum(dx * dy) as double) / 1e6 as xy, cast(sum(dx * dx) as double) as xx
    from scoped
    group by source_file, scope_judge, question_id
),
sloped as (
    select
        source_file, scope_judge, sum(answers_n) as answers_n, count(*) as questions_n,
        decimal_sum(xx) as xx, decimal_sum(xy) / nullif(decimal_sum(xx), 0) as slope
    from question_sum
    group by source_file, scope_judge
),
spread as (
    select
        sloped.source_file, sloped.scope_judge,
        decimal_sum(
            (question_sum.xy - sloped.slope * question_sum.xx) * (question_sum.xy - sloped.slope * question_sum.xx)
        ) as uu
    from sloped
    inner join question_sum
        on question_sum.source_file = sloped.source_file
        and question_sum.scope_judge is not distinct from sloped.scope_judge
    group by sloped.source_file, sloped.scope_judge
),
measured as (
    select
        sloped.*,
        case
            when sloped.questions_n > 1
                then sqrt(cast(sloped.questions_n as double) / (sloped.questions_n - 1) * spread.uu) / nullif(sloped.xx, 0)
        end as se,
        case when sloped.questions_n > 1 and sloped.slope is not null then sloped.questions_n - 1 end as df
    from sloped
    inner join spread
        on spread.source_file = sloped.source_file and spread.scope_judge is not distinct from sloped.scope_judge
)
select
    measured.source_file,
    measured.scope_judge as judge,
    cast(measured.answers_n as bigint) as answers_n,
    measured.questions_n,
    measured.slope,
    measured.se,
    measured.df,
    measured.slope - t_quantile((1 + $confidence) / 2, measured.df) * measured.se as lower,
    measured.slope + t_quantile((1 + $confidence) / 2, measured.df) * measured.se as upper,
    case when measured.slope is null then 'no_variation' when measured.df is null then 'one_question' end as reason
from measured
order by measured.source_file, measured.scope_judge nulls first
