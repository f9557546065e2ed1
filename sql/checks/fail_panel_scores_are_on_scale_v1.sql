-- name: checks/fail_panel_scores_are_on_scale_v1
-- purpose: Finds scores of verdict sidecars outside 1 to 5, and answers that have neither a score nor a reason, or both.
-- grain: source_file, source_line, position
-- reads: verdict_scores
-- column: source_file (varchar): the verdict sidecar
-- column: source_line (bigint): its line
-- column: position (integer, 1 or more): the answer's place in the prompt
-- column: score (double): what is stored
-- column: reason (varchar): why there is none
-- order: source_file, source_line, position
-- nulls: score or reason is null where there is none
-- since: 0.1.0
select
    verdict_scores.source_file, verdict_scores.source_line, verdict_scores.position, verdict_scores.score,
    verdict_scores.reason
from verdict_scores
where
    verdict_scores.score < 1
    or verdict_scores.score > 5
    or (verdict_scores.score is null) <> (verdict_scores.reason is not null)
order by verdict_scores.source_file, verdict_scores.source_line, verdict_scores.position
