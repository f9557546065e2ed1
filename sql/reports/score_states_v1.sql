-- name: reports/score_states_v1
-- purpose: Lists what was measured and what was not, cell by cell, with the reason of every gap.
-- grain: row_id, metric
-- reads: cells, scores
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- column: row_id (varchar): the cell
-- column: metric (varchar): the metric
-- column: state (varchar): scored, not_evaluable, error, timeout or not_run
-- column: score (double): the score
-- column: reason (varchar): why there is no score
-- order: row_id, metric
-- nulls: score is null unless the state is scored; reason is null when it is
-- since: 0.1.0
select scores.row_id, scores.metric, scores.state, scores.score, scores.reason
from scores
inner join cells on cells.row_id = scores.row_id
where $source_file is null or cells.source_file = $source_file
order by scores.row_id, scores.metric
