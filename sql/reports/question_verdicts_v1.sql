-- name: reports/question_verdicts_v1
-- purpose: Lists what each judge said about the answers to a question.
-- grain: page_key, judge, approach
-- reads: judge_scores, question_pages
-- param: run_id (varchar, default null): only this run; null takes all
-- param: page_from (varchar, default null): first page wanted; null takes all
-- param: page_to (varchar, default null): last page wanted; null takes all
-- param: questions (varchar, default "all"): all, or `board`: those that one HTML page shows in full
-- column: page_key (varchar): the page
-- column: judge (varchar): the judge model
-- column: approach (varchar): whose answer
-- column: score_text (varchar, 1..5): its score
-- column: is_best (boolean): whether the judge named it the best
-- column: state (varchar): scored, not_evaluable, error, timeout or not_run
-- column: reason (varchar): the judge's words, or why there is no score; cut at 600 characters
-- order: page_key, judge, approach
-- nulls: approach is null when the judge gave no usable verdict on the whole question
-- since: 0.1.0
with
wanted as (
    select pages.page_key, pages.run_id, pages.dataset_id, pages.question_id
    from question_pages as pages
    where
        ($page_from is null or pages.page_key >= $page_from)
        and ($page_to is null or pages.page_key <= $page_to)
        and ($run_id is null or pages.run_id = $run_id)
        and ($questions = 'all' or pages.is_on_board)
)
select
    wanted.page_key,
    judge_scores.judge,
    judge_scores.approach,
    float_text(judge_scores.score) as score_text,
    judge_scores.is_best,
    judge_scores.state,
    preview(judge_scores.reason, 600) as reason
from wanted
inner join judge_scores
    on coalesce(judge_scores.run_id, wanted.run_id) = wanted.run_id
    and judge_scores.dataset_id = wanted.dataset_id
    and judge_scores.question_id = wanted.question_id
order by
    wanted.page_key,
    judge_scores.judge,
    judge_scores.approach nulls last,
    judge_scores.source_file,
    score_text,
    reason
