-- name: checks/fail_ladder_judgments_v1
-- purpose: Finds judgments of other judges, questions or approaches than planned, failed verdicts, and a panel that did
--   not judge although it should have, or the reverse (evaluation contract 8.1, gate 4).
-- grain: one finding
-- reads: ladder.problem, ladder.expected_run, ladder.expected_cell, ladder.expected_judge, ladder.panel,
--   ladder.panel_judge, ladder.panel_question, ladder.panel_mean, ladder.panel_verdict, ladder.panel_score
-- column: place (bigint): the question in the order of the file; what belongs to the whole file stands before the first
-- column: message (varchar): what is wrong
-- order: place, message
-- nulls: never
-- since: 0.1.0
with
panel_size as (
    select count(*) as judges_n
    from ladder.expected_judge
),
expected_question as (
    select expected.question_id, min(expected.position) as position
    from ladder.expected_cell as expected
    cross join panel_size
    where panel_size.judges_n > 0
    group by expected.question_id
),
expected_approach as (
    select distinct expected.approach
    from ladder.expected_cell as expected
),
question as (
    select found.position, found.question_id, concat('question `', found.question_id, '`: ') as shown
    from ladder.panel_question as found
),
panel_finding as (
    select
        concat(
            'the status is `', coalesce(panel.status, 'missing'), '`, expected `',
            case when panel_size.judges_n > 0 then 'ok' else 'disabled' end, '`'
        ) as message
    from ladder.panel as panel
    cross join panel_size
    where panel.status is distinct from case when panel_size.judges_n > 0 then 'ok' else 'disabled' end
    union all
    select
        concat(
            'the judgments are for the dataset `', coalesce(panel.dataset_id, 'none'), '`, expected `',
            expected.dataset_id, '`'
        ) as message
    from ladder.panel as panel
    cross join ladder.expected_run as expected
    where panel.dataset_id is distinct from expected.dataset_id
    union all
    select 'the backend of the judges is not recorded' as message
    from ladder.panel as panel
    cross join panel_size
    where panel_size.judges_n > 0 and coalesce(panel.backend, '') = ''
    union all
    select 'the endpoint of the judges is not recorded' as message
    from ladder.panel as panel
    cross join panel_size
    where panel_size.judges_n > 0 and coalesce(panel.endpoint, '') = ''
    union all
    select
        concat(
            'judge ', cast(place.position as varchar), ' is ',
            case when found.judge is null then 'missing' else concat('`', found.judge, '`') end,
            ', expected ',
            case when expected.judge is null then 'none' else concat('`', expected.judge, '`') end
        ) as message
    from (
        select judge.position
        from ladder.expected_judge as judge
        union
        select judge.position
        from ladder.panel_judge as judge
    ) as place
    left join ladder.expected_judge as expected on expected.position = place.position
    left join ladder.panel_judge as found on found.position = place.position
    where found.judge is distinct from expected.judge
),
-- Every judge of the panel in its place within every question.
verdict_finding as (
    select
        question.position as place,
        concat(question.shown, 'the verdict of `', expected.judge, '` is missing') as message
    from question
    cross join ladder.expected_judge as expected
    left join ladder.panel_verdict as found
        on found.position = question.position and found.judge = expected.judge
    where found.judge is null
    union all
    select
        found.position as place,
        concat(question.shown, 'the verdict of `', found.judge, '` is unexpected') as message
    from ladder.panel_verdict as found
    inner join question on question.position = found.position
    left join ladder.expected_judge as expected on expected.judge = found.judge
    where expected.judge is null
    union all
    select
        found.position as place,
        concat(
            question.shown, 'the verdict of `', found.judge, '` stands in place ', cast(found.place as varchar),
            ', expected ', cast(expected.position as varchar)
        ) as message
    from ladder.panel_verdict as found
    inner join question on question.position = found.position
    inner join ladder.expected_judge as expected on expected.judge = found.judge
    where expected.position <> found.place
    union all
    select
        found.position as place,
        concat(question.shown, 'judge `', found.judge, '` scored nobody: ', found.reason) as message
    from ladder.panel_verdict as found
    inner join question on question.position = found.position
    where found.reason is not null
),
score_finding as (
    select
        verdict.position as place,
        concat(question.shown, 'judge `', verdict.judge, '` did not score `', expected.approach, '`') as message
    from ladder.panel_verdict as verdict
    inner join question on question.position = verdict.position
    cross join expected_approach as expected
    left join ladder.panel_score as found
        on found.position = verdict.position and found.judge = verdict.judge and found.approach = expected.approach
    where verdict.reason is null and found.approach is null
    union all
    select
        found.position as place,
        concat(question.shown, 'judge `', found.judge, '` scored the unexpected `', found.approach, '`') as message
    from ladder.panel_score as found
    inner join question on question.position = found.position
    left join expected_approach as expected on expected.approach = found.approach
    where expected.approach is null
    union all
    select
        question.position as place,
        concat(question.shown, 'the mean of `', expected.approach, '` is missing') as message
    from question
    cross join expected_approach as expected
    left join ladder.panel_mean as found
        on found.position = question.position and found.approach = expected.approach
    where found.approach is null
    union all
    select
        found.position as place,
        concat(question.shown, 'the mean of `', found.approach, '` is unexpected') as message
    from ladder.panel_mean as found
    inner join question on question.position = found.position
    left join expected_approach as expected on expected.approach = found.approach
    where expected.approach is null
),
question_finding as (
    select
        found.position as place,
        concat('question `', found.question_id, '` is unexpected') as message
    from question as found
    left join expected_question as expected on expected.question_id = found.question_id
    where expected.question_id is null
    union all
    select
        max(found.position) as place,
        concat('question `', found.question_id, '` is there ', cast(count(*) as varchar), ' times') as message
    from question as found
    group by found.question_id
    having count(*) > 1
    union all
    select
        coalesce(last_question.position, 0) + expected.position as place,
        concat('question `', expected.question_id, '` is missing') as message
    from expected_question as expected
    cross join (select max(question.position) as position from question) as last_question
    left join question as found on found.question_id = expected.question_id
    where found.question_id is null
),
finding as (
    select problem.place, problem.message
    from ladder.problem as problem
    where problem.gate = 4
    union all
    select cast(0 as bigint) as place, panel_finding.message
    from panel_finding
    union all
    select verdict_finding.place, verdict_finding.message
    from verdict_finding
    union all
    select score_finding.place, score_finding.message
    from score_finding
    union all
    select question_finding.place, question_finding.message
    from question_finding
)

select finding.place, finding.message
from finding
order by finding.place, finding.message
