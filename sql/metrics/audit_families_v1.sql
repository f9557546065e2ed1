-- name: metrics/audit_families_v1
-- purpose: Says whether a judge is milder with answers of its own family than with others, beside judges that are of
--   neither (statistics contract, section 7). Families are declared, never guessed from names.
-- grain: source_file, judge
-- reads: panel_answers, store.family
-- param: panel_file (varchar, default null): only this sidecar or judgments file; null takes all, each on its own
-- param: confidence (double, default 0.95): level of the interval
-- column: source_file (varchar): the sidecar or judgments file
-- column: judge (varchar): the judge
-- column: family (varchar): its declared family
-- column: own_n (bigint, answers): compared answers of its own family
-- column: other_n (bigint, answers): compared answers of other families
-- column: joint_n (bigint, answers): of both, those for which no judge was disinterested and all others were used
-- column: own (double): mean of its score less the others' on answers of its own family
-- column: other (double): the same on answers of other families
-- column: preference (double): own less other; above 0 is milder with its own
-- column: se (double): standard error of the preference, clustered by question
-- column: df (bigint): degrees of freedom, questions less one
-- column: lower (double): lower end of the interval of the preference
-- column: upper (double): upper end of the interval of the preference
-- column: reason (varchar): no_family, no_variation or one_question
-- order: source_file, judge
-- nulls: family is null when none is declared; means are null without answers; the rest is null with a reason
-- since: 0.1.0
with
panel as (
    select panel_answers.*, judge_family.family as judge_family, answer_family.family as answer_family
    from panel_answers
    left join store.family as judge_family
        on judge_family.subject = 'judge' and judge_family.name = panel_answers.judge
    left join store.family as answer_family
        on answer_family.subject = 'approach' and answer_family.name = panel_answers.approach
    where $panel_file is null or panel_answers.source_file = $panel_file
),
beside as (
    select
        panel.source_file, panel.judge, panel.judge_family, panel.question_id, panel.approach, panel.answer_family,
        panel.steps_n,
        count(other.steps_n) as others_n,
        sum(other.steps_n) as others_sum,
        count(other.steps_n) filter (where other.judge_family <> panel.answer_family) as disinterested_n,
        sum(other.steps_n) filter (where other.judge_family <> panel.answer_family) as disinterested_sum
    from panel
    inner join panel as other
        on other.source_file = panel.source_file
        and other.question_id = panel.question_id
        and other.approach = panel.approach
        and other.judge <> panel.judge
    where
        panel.steps_n is not null
        and other.steps_n is not null
        and panel.judge_family is not null
        and panel.answer_family is not null
    group by
        panel.source_file, panel.judge, panel.judge_family, panel.question_id, panel.approach, panel.answer_family,
        panel.steps_n
),
compared as (
    select
        source_file, judge, question_id,
        answer_family = judge_family as is_own,
        disinterested_n = 0 as is_joint,
        (steps_n - case
            when disinterested_n > 0 then cast(disinterested_sum as double) / disinterested_n
            else cast(others_sum as double) / others_n
        end) / 1e6 as r
    from beside
),
mean as (
    select
        source_file, judge,
        count(*) filter (where is_own) as own_n,
        count(*) filter (where not is_own) as other_n,
        count(*) filter (where is_joint) as joint_n,
        count(distinct question_id) as questions_n,
        decimal_sum(case when is_own then r end) / nullif(count(*) filter (where is_own), 0) as own,
        decimal_sum(case when not is_own then r end) / nullif(count(*) filter (where not is_own), 0) as other
    from compared
    group by source_file, judge
),
influence as (
    select
        compared.source_file, compared.judge, compared.question_id,
        coalesce(decimal_sum(case when compared.is_own then (compared.r - mean.own) / mean.own_n end), 0.0e0)
            - coalesce(decimal_sum(case when not compared.is_own then (compared.r - mean.other) / mean.other_n end), 0.0e0)
            as u
    from compared
    inner join mean on mean.source_file = compared.source_file and mean.judge = compared.judge
    group by compared.source_file, compared.judge, compared.question_id
),
spread as (
    select source_file, judge, decimal_sum(u * u) as uu
    from influence
    group by source_file, judge
),
judge as (
    select distinct panel.source_file, panel.judge, panel.judge_family
    from panel
),
measured as (
    select
        judge.source_file,
        judge.judge,
        judge.judge_family as family,
        coalesce(mean.own_n, 0) as own_n,
        coalesce(mean.other_n, 0) as other_n,
        coalesce(mean.joint_n, 0) as joint_n,
        mean.own,
        mean.other,
        mean.own - mean.other as preference,
        case
            when mean.own is not null and mean.other is not null and mean.questions_n > 1
                then sqrt(cast(mean.questions_n as double) / (mean.questions_n - 1) * spread.uu)
        end as se,
        case when mean.own is not null and mean.other is not null and mean.questions_n > 1 then mean.questions_n - 1 end
            as df
    from judge
    left join mean on mean.source_file = judge.source_file and mean.judge = judge.judge
    left join spread on spread.source_file = judge.source_file and spread.judge = judge.judge
)
select
    measured.source_file,
    measured.judge,
    measured.family,
    measured.own_n,
    measured.other_n,
    measured.joint_n,
    measured.own,
    measured.other,
    measured.preference,
    measured.se,
    measured.df,
    measured.preference - t_quantile((1 + $confidence) / 2, measured.df) * measured.se as lower,
    measured.preference + t_quantile((1 + $confidence) / 2, measured.df) * measured.se as upper,
    case
        when measured.family is null then 'no_family'
        when measured.preference is null then 'no_variation'
        when measured.df is null then 'one_question'
    end as reason
from measured
order by measured.source_file, measured.judge
