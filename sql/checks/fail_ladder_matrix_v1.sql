-- name: checks/fail_ladder_matrix_v1
-- purpose: Finds cells of the compatibility matrix that failed, that are missing, or that nobody planned (evaluation
--   contract 8.1, gate 1).
-- grain: one finding
-- reads: ladder.problem, ladder.expected_cell, ladder.matrix_cell
-- column: place (bigint): where it was found, in the order of the file; what is missing comes behind
-- column: message (varchar): what is wrong
-- order: place, message
-- nulls: never
-- since: 0.1.0
with
cell_count as (
    select count(*) as cells_n
    from ladder.matrix_cell
),
finding as (
    select problem.place, problem.message
    from ladder.problem as problem
    where problem.gate = 1
    union all
    select
        cell.position as place,
        concat('question `', cell.question_id, '`, `', cell.approach, '` failed: ', coalesce(cell.reason, 'no reason'))
            as message
    from ladder.matrix_cell as cell
    where not cell.is_ok
    union all
    select
        cell.position as place,
        concat(
            'question `', coalesce(cell.question_id, 'none'), '`, `', coalesce(cell.approach, 'none'),
            '` is unexpected: nobody planned it'
        ) as message
    from ladder.matrix_cell as cell
    left join ladder.expected_cell as expected
        on expected.question_id = cell.question_id and expected.approach = cell.approach
    where expected.position is null
    union all
    select
        cell_count.cells_n + expected.position as place,
        concat('question `', expected.question_id, '`, `', expected.approach, '` is missing') as message
    from ladder.expected_cell as expected
    cross join cell_count
    left join ladder.matrix_cell as cell
        on cell.question_id = expected.question_id and cell.approach = expected.approach
    where cell.position is null
)

select finding.place, finding.message
from finding
order by finding.place, finding.message
