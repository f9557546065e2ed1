-- name: reports/question_answers_v1
-- purpose: Puts the answers to a question side by side, with how each was made.
-- grain: page_key, approach, row_id
-- reads: cells, question_pages
-- param: run_id (varchar, default null): only this run; null takes all
-- param: page_from (varchar, default null): first page wanted; null takes all
-- param: page_to (varchar, default null): last page wanted; null takes all
-- param: questions (varchar, default "all"): all, or `board`: those that one HTML page shows in full
-- column: page_key (varchar): the page
-- column: approach (varchar): the approach
-- column: row_id (varchar): the cell
-- column: status (varchar): ok, error or timeout
-- column: latency_ms (bigint, ms): wall time
-- column: attempts (bigint, calls): calls made
-- column: total_tokens (bigint, tokens): as the gateway counted
-- column: llm_calls (bigint, calls): as the gateway counted
-- column: answer_start (varchar): the first 160 characters of the answer
-- column: answer (varchar): the answer, cut at 4000 characters
-- column: is_cut (boolean): whether the answer goes on
-- column: answer_length (bigint, characters): length of the whole answer
-- column: error_type (varchar): why the cell failed, one word
-- column: error_message (varchar): why the cell failed, cut at 600 characters
-- order: page_key, approach, row_id
-- nulls: answers are null on failed cells, errors on others; counts are null when the gateway gave none
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
    cells.approach,
    cells.row_id,
    cells.status,
    cells.latency_ms,
    cells.attempts,
    cells.total_tokens,
    cells.llm_calls,
    case when cells.status = 'ok' then preview(cells.answer, 160) end as answer_start,
    case when cells.status = 'ok' then preview(cells.answer, 4000) end as answer,
    cells.status = 'ok' and length(cells.answer) > 4000 as is_cut,
    case when cells.status = 'ok' then length(cells.answer) end as answer_length,
    cells.error_type,
    preview(cells.error_message, 600) as error_message
from wanted
inner join cells
    on cells.run_id = wanted.run_id
    and cells.dataset_id = wanted.dataset_id
    and cells.question_id = wanted.question_id
order by wanted.page_key, cells.approach, cells.row_id
