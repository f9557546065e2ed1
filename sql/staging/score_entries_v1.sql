-- name: staging/score_entries_v1
-- purpose: Creates the view `staging.score_entries`: every metric a row mentions, and the counter it belongs to.
--   The rules are those of evaluation contract 6.3, in its order; a cell that failed counts as its own failure. An
--   evaluator that names `timeout` as the reason of one metric had a timeout there, whatever the other metrics had.
-- grain: file_id, line, metric
-- reads: store.cell, store.score
-- order: none
-- nulls: score is null unless the score is a number
-- since: 0.1.0
create or replace view staging.score_entries as
select
    score.file_id,
    score.line,
    score.metric,
    score.requested,
    score.requested or score.score_kind <> 'absent' as is_named,
    score.score_kind,
    score.score,
    score.not_evaluable_reason,
    score.metric_error,
    case
        when cell.status = 'timeout' then 'timeouts'
        when cell.status <> 'ok' then 'errors'
        when score.score_kind = 'number' then 'evaluated'
        when score.score_kind = 'boolean' then 'errors'
        when score.not_evaluable_reason is not null then 'not_evaluable'
        when score.metric_error = 'timeout' then 'timeouts'
        when score.metric_error is null and coalesce(cell.ragas_status, '') <> 'error' then 'errors'
        when cell.ragas_error_type like '%Timeout' or cell.ragas_error_type = 'TimeoutError' then 'timeouts'
        else 'errors'
    end as counter
from store.score as score
inner join store.cell as cell on cell.file_id = score.file_id and cell.line = score.line;
