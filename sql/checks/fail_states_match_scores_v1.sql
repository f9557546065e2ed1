-- name: checks/fail_states_match_scores_v1
-- purpose: Finds scores without a number, numbers without the state scored, and gaps without a reason.
-- grain: row_id, metric
-- reads: scores
-- column: row_id (varchar): the cell
-- column: metric (varchar): the metric
-- column: state (varchar): its state
-- order: row_id, metric
-- nulls: never
-- since: 0.1.0
select scores.row_id, scores.metric, scores.state
from scores
where
    (scores.state = 'scored') <> (scores.score is not null)
    or (scores.state = 'scored') <> (scores.reason is null)
order by scores.row_id, scores.metric
