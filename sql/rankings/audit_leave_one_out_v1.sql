-- name: rankings/audit_leave_one_out_v1
-- purpose: Ranks approaches by the panel as it is and with each judge left out, and says whether the winner changes
--   (statistics contract, section 7).
-- grain: source_file, without_judge, approach
-- reads: panel_answers
-- param: panel_file (varchar, default null): only this sidecar or judgments file; null takes all, each on its own
-- column: source_file (varchar): the sidecar or judgments file
-- column: without_judge (varchar): the judge that is left out
-- column: judges_n (bigint, judges): judges that remain
-- column: approach (varchar): the approach
-- column: rank (bigint, 1 or more): competition rank; equal means share it
-- column: mean (double, 1..5): mean over questions of the mean over judges
-- column: questions_n (bigint, questions): questions with a score
-- column: is_winner (boolean): whether the rank is 1
-- column: winner_changes (boolean): whether the set of winners differs from that of the whole panel
-- column: kendall_tau (double, -1..1): tau-b between the means without the judge and those of the whole panel
-- order: source_file, without_judge nulls first, rank, approach
-- nulls: without_judge is null for the whole panel; rank and mean are null without scores; winner_changes is null when nobody
--   is ranked without the judge, or by the whole panel; kendall_tau is null when either order has no spread
-- since: 0.1.0
with
panel as (
    select panel_answers.*
    from panel_answers
    where $panel_file is null or panel_answers.source_file = $panel_file
),
judge as (
    select distinct source_file, judge
    from panel
),
variant as (
    select source_file, judge as without_judge
    from judge
    union all
    select distinct source_file, cast(null as varchar)
    from judge
),
answer as (
    select
        variant.source_file, variant.without_judge, panel.question_id, panel.approach,
        cast(sum(panel.steps_n) as double) / count(panel.steps_n) as mean_steps
    from variant
    inner join panel
        on panel.source_file = variant.source_file and panel.judge is distinct from variant.without_judge
    where panel.steps_n is not null
    group by variant.source_file, variant.without_judge, panel.question_id, panel.approach
),
approach_mean as (
    select
        source_file, without_judge, approach, count(*) as questions_n,
        r6(decimal_sum(mean_steps / 1e6) / count(*)) as rounded,
        decimal_sum(mean_steps / 1e6) / count(*) as mean
    from answer
    group by source_file, without_judge, approach
),
every_approach as (
    select
        variant.source_file, variant.without_judge, approach.approach,
        approach_mean.mean, approach_mean.rounded, coalesce(approach_mean.questions_n, 0) as questions_n
    from variant
    inner join (
        select distinct source_file, approach
        from panel
    ) as approach on approach.source_file = variant.source_file
    left join approach_mean
        on approach_mean.source_file = variant.source_file
        and approach_mean.without_judge is not distinct from variant.without_judge
        and approach_mean.approach = approach.approach
),
ranked as (
    select
        every_approach.*,
        case
            when every_approach.rounded is not null then rank() over (
                partition by every_approach.source_file, every_approach.without_judge
                order by every_approach.rounded desc nulls last
            )
        end as rank
    from every_approach
),
change as (
    select
        ranked.source_file, ranked.without_judge,
        case
            when count(ranked.rank) > 0 and count(whole.rank) > 0
                then bool_or((coalesce(ranked.rank, 0) = 1) <> (coalesce(whole.rank, 0) = 1))
        end as winner_changes
    from ranked
    inner join ranked as whole
        on whole.source_file = ranked.source_file and whole.approach = ranked.approach and whole.without_judge is null
    group by ranked.source_file, ranked.without_judge
),
concordance as (
    select
        one.source_file, one.without_judge,
        sum(sign(one.rounded - two.rounded) * sign(whole_one.rounded - whole_two.rounded)) as s,
        count(*) filter (where one.rounded <> two.rounded) as untied_n,
        count(*) filter (where whole_one.rounded <> whole_two.rounded) as whole_untied_n
    from ranked as one
    inner join ranked as two
        on two.source_file = one.source_file
        and two.without_judge is not distinct from one.without_judge
        and two.approach > one.approach
    inner join ranked as whole_one
        on whole_one.source_file = one.source_file
        and whole_one.approach = one.approach
        and whole_one.without_judge is null
    inner join ranked as whole_two
        on whole_two.source_file = one.source_file
        and whole_two.approach = two.approach
        and whole_two.without_judge is null
    where
        one.rounded is not null and two.rounded is not null
        and whole_one.rounded is not null and whole_two.rounded is not null
    group by one.source_file, one.without_judge
),
judge_count as (
    select source_file, count(*) as judges_n
    from judge
    group by source_file
)
select
    ranked.source_file,
    ranked.without_judge,
    judge_count.judges_n - case when ranked.without_judge is null then 0 else 1 end as judges_n,
    ranked.approach,
    ranked.rank,
    ranked.mean,
    ranked.questions_n,
    coalesce(ranked.rank = 1, false) as is_winner,
    change.winner_changes,
    cast(concordance.s as double)
        / nullif(sqrt(cast(concordance.untied_n as double) * concordance.whole_untied_n), 0) as kendall_tau
from ranked
inner join judge_count on judge_count.source_file = ranked.source_file
inner join change
    on change.source_file = ranked.source_file and change.without_judge is not distinct from ranked.without_judge
left join concordance
    on concordance.source_file = ranked.source_file
    and concordance.without_judge is not distinct from ranked.without_judge
order by ranked.source_file, ranked.without_judge nulls first, ranked.rank nulls last, ranked.approach
