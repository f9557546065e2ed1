-- name: exports/judge_scores_v1
-- purpose: Gives what each judge said about each answer.
-- grain: source_file, question_id, approach, judge
-- reads: judge_scores
-- param: runs (varchar, default null): JSON list of the runs wanted; null takes all
-- param: dataset_id (varchar, default null): only this dataset; null takes all
-- column: run_id (varchar): the run that was judged
-- column: dataset_id (varchar): the dataset that was judged
-- column: question_id (varchar): the question
-- column: approach (varchar): whose answer
-- column: judge (varchar): the judge model
-- column: score (double, 1..5): useless to on point
-- column: is_best (boolean): whether the judge named this answer the best
-- column: state (varchar): scored, not_evaluable, error, timeout or not_run
-- column: reason (varchar): the judge's sentence, or why there is no score
-- column: source_file (varchar): name of the judgments file
-- order: source_file, dataset_id, question_id, approach, judge
-- nulls: run_id is null when the judgments do not say it; approach is null when the judge gave no usable verdict at all;
--   score is null unless the state is scored
-- since: 0.2.0
select
    judge_scores.run_id,
    judge_scores.dataset_id,
    judge_scores.question_id,
    judge_scores.approach,
    judge_scores.judge,
    judge_scores.score,
    judge_scores.is_best,
    judge_scores.state,
    judge_scores.reason,
    file_name_of(judge_scores.source_file) as source_file
from judge_scores
where
    ($dataset_id is null or judge_scores.dataset_id = $dataset_id)
    and ($runs is null or list_contains(cast(cast($runs as json) as varchar[]), judge_scores.run_id))
order by source_file, judge_scores.dataset_id, judge_scores.question_id, judge_scores.approach, judge_scores.judge
