-- name: checks/fail_judge_scores_are_on_scale_v1
-- purpose: Finds judge scores outside 1 to 5, and verdicts whose state does not match their score.
-- grain: source_file, question_id, approach, judge
-- reads: judge_scores
-- column: source_file (varchar): the judgments file
-- column: question_id (varchar): the question
-- column: approach (varchar): whose answer
-- column: judge (varchar): the judge
-- column: score (double): what is stored
-- column: state (varchar): its state
-- order: source_file, question_id, approach, judge
-- nulls: approach and score are null where the verdict has none
-- since: 0.1.0
select
    judge_scores.source_file, judge_scores.question_id, judge_scores.approach, judge_scores.judge,
    judge_scores.score, judge_scores.state
from judge_scores
where
    judge_scores.score < 1
    or judge_scores.score > 5
    or (judge_scores.state = 'scored') <> (judge_scores.score is not null)
order by judge_scores.source_file, judge_scores.question_id, judge_scores.approach, judge_scores.judge
