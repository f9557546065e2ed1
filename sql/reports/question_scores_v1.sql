-- name: reports/question_scores_v1
-- purpose: Lists every metric of every answer to a question, with why there is no score.
-- grain: page_key, row_id, metric
-- reads: cells, scores, question_pages
-- param: run_id (varchar, default null): only this run; null takes all
-- param: page_from (varchar, default null): first page wanted; null takes all
-- param: page_to (varchar, default null): last page wanted; null takes all
-- param: questions (varchar, default "all"): all, or `board`: those that one HTML page shows in full
-- column: page_key (varchar): the page
-- column: row_id (varchar): the cell
-- column: metric (varchar): the metric
-- column: state (varchar): scored, not_evaluable, error, timeout or not_run
-- column: score_text (varchar): the score, three decimals
-- column: reason (varchar): why there is none, cut at 300 characters
-- order: page_key, row_id, metric
-- nulls: score_text is null unless the state is scored; reason is null when it is
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
    cells.row_id,
    scores.metric,
    scores.state,
    fixed3(scores.score) as score_text,
    preview(scores.reason, 300) as reason
from wanted
inner join cells
    on cells.run_id = wanted.run_id
    and cells.dataset_id = wanted.dataset_id
    and cells.question_id = wanted.question_id
inner join scores on scores.row_id = cells.row_id
order by wanted.page_key, cells.row_id, scores.metric
