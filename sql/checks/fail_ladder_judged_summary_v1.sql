-- name: checks/fail_ladder_judged_summary_v1
-- purpose: Finds a summary that lacks judges or judged questions (evaluation contract 8.1, gate 5). A panel that is
--   switched off judges nobody, and nothing is asked of the summary then (trap D-5).
-- grain: one finding
-- reads: ladder.expected_run, ladder.expected_cell, ladder.expected_judge, ladder.summary_dataset, ladder.summary_judge
-- column: place (bigint): always 0
-- column: message (varchar): what is wrong
-- order: place, message
-- nulls: never
-- since: 0.1.0
with
panel_size as (
    select count(*) as judges_n
    from ladder.expected_judge
),
question_count as (
    select count(distinct expected.question_id) as questions_n
    from ladder.expected_cell as expected
),
judged as (
    select
        summary.dataset_id,
        summary.judges_status,
        summary.evaluated_queries,
        summary.total_queries,
        question_count.questions_n
    from ladder.summary_dataset as summary
    inner join ladder.expected_run as expected on expected.dataset_id = summary.dataset_id
    cross join question_count
    cross join panel_size
    where panel_size.judges_n > 0
),
listed_judge as (
    select judge.position, judge.judge
    from ladder.summary_judge as judge
    inner join judged on judged.dataset_id = judge.dataset_id
),
finding as (
    select
        concat('the status of the judges is `', coalesce(judged.judges_status, 'missing'), '`, expected `ok`') as message
    from judged
    where judged.judges_status is distinct from 'ok'
    union all
    select
        concat(
            'judge ', cast(coalesce(expected.position, found.position) as varchar), ' is ',
            case when found.judge is null then 'missing' else concat('`', found.judge, '`') end,
            ', expected ',
            case when expected.judge is null then 'none' else concat('`', expected.judge, '`') end
        ) as message
    from judged
    cross join (
        select judge.position
        from ladder.expected_judge as judge
        union
        select judge.position
        from listed_judge as judge
    ) as place
    left join ladder.expected_judge as expected on expected.position = place.position
    left join listed_judge as found on found.position = place.position
    where found.judge is distinct from expected.judge
    union all
    select
        concat(
            coalesce(cast(judged.evaluated_queries as varchar), 'no'), ' of ',
            coalesce(cast(judged.total_queries as varchar), 'no'), ' questions are judged, expected ',
            cast(judged.questions_n as varchar), ' of ', cast(judged.questions_n as varchar)
        ) as message
    from judged
    where judged.evaluated_queries is distinct from judged.questions_n
        or judged.total_queries is distinct from judged.questions_n
)

select cast(0 as bigint) as place, finding.message
from finding
order by finding.message
