-- name: metrics/audit_judges_v1
-- purpose: Describes each judge: what it scored, how high, and how strict it is beside the others on the same answers
--   (statistics contract, section 7).
-- grain: source_file, judge
-- reads: panel_answers
-- param: panel_file (varchar, default null): only this sidecar or judgments file; null takes all, each on its own
-- column: source_file (varchar): the sidecar or judgments file
-- column: judge (varchar): the judge
-- column: answers_n (bigint, answers): answers it should have scored
-- column: scored_n (bigint, answers): answers it scored
-- column: coverage (double, 0..1): scored per answer
-- column: mean (double, 1..5): mean of its scores
-- column: sd (double): sample standard deviation of its scores
-- column: minus_others (double): mean of its score less the mean of the other judges' scores of the same answer; above 0 is
--   milder than the others
-- column: compared_n (bigint, answers): answers that another judge scored too
-- column: reason (varchar): why there is no comparison
-- order: source_file, judge
-- nulls: mean is null without scores, sd with fewer than two; minus_others is null when nothing is compared, with
--   reason no_scores or one_judge
-- since: 0.1.0
with
panel as (
    select panel_answers.*
    from panel_answers
    where $panel_file is null or panel_answers.source_file = $panel_file
),
answer as (
    select panel.source_file, panel.question_id, panel.approach, count(panel.steps_n) as judges_n,
        sum(panel.steps_n) as steps_n
    from panel
    group by panel.source_file, panel.question_id, panel.approach
),
compared as (
    select
        panel.source_file,
        panel.judge,
        panel.steps_n,
        case
            when answer.judges_n > 1
                then (panel.steps_n - cast(answer.steps_n - panel.steps_n as double) / (answer.judges_n - 1)) / 1e6
        end as minus_others
    from panel
    inner join answer
        on answer.source_file = panel.source_file
        and answer.question_id = panel.question_id
        and answer.approach = panel.approach
),
summed as (
    select
        compared.source_file,
        compared.judge,
        count(*) as answers_n,
        count(compared.steps_n) as scored_n,
        cast(sum(compared.steps_n) as double) as steps_n,
        cast(sum(cast(compared.steps_n as hugeint) * compared.steps_n) as hugeint) as squares,
        cast(sum(compared.steps_n) as hugeint) as total,
        count(compared.minus_others) as compared_n,
        decimal_sum(compared.minus_others) as difference
    from compared
    group by compared.source_file, compared.judge
)
select
    summed.source_file,
    summed.judge,
    summed.answers_n,
    summed.scored_n,
    cast(summed.scored_n as double) / summed.answers_n as coverage,
    summed.steps_n / 1e6 / nullif(summed.scored_n, 0) as mean,
    case
        when summed.scored_n > 1 then
            sqrt(cast(summed.scored_n * summed.squares - summed.total * summed.total as double)
                / summed.scored_n / (summed.scored_n - 1)) / 1e6
    end as sd,
    summed.difference / nullif(summed.compared_n, 0) as minus_others,
    summed.compared_n,
    case when summed.scored_n = 0 then 'no_scores' when summed.compared_n = 0 then 'one_judge' end as reason
from summed
order by summed.source_file, summed.judge
