-- name: checks/fail_ladder_summary_v1
-- purpose: Finds a summary of another shape or dataset, or whose counts are not those of the evidence (evaluation
--   contract 8.1, gates 3 and 5).
-- grain: one finding
-- reads: ladder.problem, ladder.expected_run, ladder.summary, ladder.summary_dataset, store.cell
-- column: place (bigint): always 0
-- column: message (varchar): what is wrong
-- order: place, message
-- nulls: never
-- since: 0.1.0
with
evidence_count as (
    select
        expected.dataset_id,
        count(cell.row_id) as total_rows,
        count(cell.row_id) filter (where cell.status = 'ok') as ok,
        count(cell.row_id) filter (where cell.status = 'error') as errors,
        count(cell.row_id) filter (where cell.status = 'timeout') as timeouts
    from ladder.expected_run as expected
    left join store.cell as cell on cell.dataset_id = expected.dataset_id
    group by expected.dataset_id
),
counted as (
    select summary.dataset_id, 'total_rows' as name, summary.total_rows as found, evidence_count.total_rows as expected
    from ladder.summary_dataset as summary
    inner join evidence_count on evidence_count.dataset_id = summary.dataset_id
    union all
    select summary.dataset_id, 'ok' as name, summary.ok as found, evidence_count.ok as expected
    from ladder.summary_dataset as summary
    inner join evidence_count on evidence_count.dataset_id = summary.dataset_id
    union all
    select summary.dataset_id, 'errors' as name, summary.errors as found, evidence_count.errors as expected
    from ladder.summary_dataset as summary
    inner join evidence_count on evidence_count.dataset_id = summary.dataset_id
    union all
    select summary.dataset_id, 'timeouts' as name, summary.timeouts as found, evidence_count.timeouts as expected
    from ladder.summary_dataset as summary
    inner join evidence_count on evidence_count.dataset_id = summary.dataset_id
),
finding as (
    select problem.message
    from ladder.problem as problem
    where problem.gate = 3
    union all
    select
        concat('`schema_version` is ', coalesce(cast(summary.schema_version as varchar), 'missing'), ', expected 1')
            as message
    from ladder.summary as summary
    where summary.schema_version is distinct from 1
    union all
    select concat('the dataset `', expected.dataset_id, '` is missing') as message
    from ladder.expected_run as expected
    left join ladder.summary_dataset as summary on summary.dataset_id = expected.dataset_id
    where summary.dataset_id is null
    union all
    select concat('the dataset `', summary.dataset_id, '` is unexpected') as message
    from ladder.summary_dataset as summary
    left join ladder.expected_run as expected on expected.dataset_id = summary.dataset_id
    where expected.dataset_id is null
    union all
    select
        concat(
            '`', counted.name, '` of `', counted.dataset_id, '` is ', coalesce(cast(counted.found as varchar), 'missing'),
            ', the evidence gives ', cast(counted.expected as varchar)
        ) as message
    from counted
    where counted.found is distinct from counted.expected
)

select cast(0 as bigint) as place, finding.message
from finding
order by finding.message
