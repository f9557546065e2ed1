-- name: reports/cell_v1
-- purpose: Shows one cell with its scores and its whole row.
-- grain: row_id, metric
-- reads: cells, evidence, scores
-- param: row_id (varchar, required): the cell
-- column: row_id (varchar): the cell
-- column: question_id (varchar): the question
-- column: approach (varchar): the approach
-- column: seed (varchar): the seed of the run
-- column: answer (varchar): the answer
-- column: metric (varchar): the metric
-- column: state (varchar): scored, not_evaluable, error, timeout or not_run
-- column: score (double): the score
-- column: reason (varchar): why there is no score
-- column: evidence (varchar): the whole row as JSON text
-- order: row_id, metric
-- nulls: metric, state, score and reason are null for a cell without metrics
-- since: 0.1.0
select
    cells.row_id,
    cells.question_id,
    cells.approach,
    cells.seed,
    cells.answer,
    scores.metric,
    scores.state,
    scores.score,
    scores.reason,
    cast(evidence.evidence as varchar) as evidence
from cells
inner join evidence on evidence.row_id = cells.row_id
left join scores on scores.row_id = cells.row_id
where cells.row_id = $row_id
order by cells.row_id, scores.metric
