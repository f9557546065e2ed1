-- name: reports/audit_verdicts_v1
-- purpose: Lists what every judge made of every answer it was shown, newest verdict only, planted answers included.
-- grain: source_file, question_id, judge, direction, position
-- reads: verdict_scores
-- param: verdicts_file (varchar, default null): only this sidecar; null takes all
-- column: source_file (varchar): the verdict sidecar
-- column: question_id (varchar): the question
-- column: judge (varchar): the judge
-- column: direction (varchar): forward, reverse or canary
-- column: position (integer, 1 or more): place in the prompt
-- column: label (varchar): label in the prompt
-- column: approach (varchar): whose answer
-- column: is_planted (boolean): whether it was planted
-- column: score (double, 1..5): the score
-- column: is_best (boolean): whether it was named best
-- column: state (varchar): scored, not_evaluable, error or timeout
-- column: reason (varchar): why there is no score
-- column: characters_n (bigint, characters): length of the answer
-- order: source_file, question_id, judge, direction, position
-- nulls: score is null when there is a reason; characters_n is null when the answer is not in this database
-- since: 0.1.0
select
    verdict_scores.source_file,
    verdict_scores.question_id,
    verdict_scores.judge,
    verdict_scores.direction,
    verdict_scores.position,
    verdict_scores.label,
    verdict_scores.approach,
    verdict_scores.is_planted,
    verdict_scores.score,
    verdict_scores.is_best,
    verdict_scores.state,
    verdict_scores.reason,
    verdict_scores.characters_n
from verdict_scores
where verdict_scores.is_current and ($verdicts_file is null or verdict_scores.source_file = $verdicts_file)
order by
    verdict_scores.source_file, verdict_scores.question_id, verdict_scores.judge, verdict_scores.direction,
    verdict_scores.position
