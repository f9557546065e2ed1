-- name: reports/question_sources_v1
-- purpose: Lists what every answer to a question was made from.
-- grain: page_key, row_id, position
-- reads: cells, store.source_title, question_pages
-- param: run_id (varchar, default null): only this run; null takes all
-- param: page_from (varchar, default null): first page wanted; null takes all
-- param: page_to (varchar, default null): last page wanted; null takes all
-- param: questions (varchar, default "all"): all, or `board`: those that one HTML page shows in full
-- column: page_key (varchar): the page
-- column: row_id (varchar): the cell
-- column: position (bigint, 1 or more): place among the sources
-- column: title (varchar): what the approach calls it
-- column: snippet (varchar): its text, cut at 600 characters
-- column: is_cut (boolean): whether the text goes on
-- column: score_text (varchar): its retrieval score, on the approach's own scale
-- order: page_key, row_id, position
-- nulls: title, snippet and score_text are null when the approach gave none
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
    source.row_id,
    source.position,
    preview(nullif(source.title, ''), 200) as title,
    preview(source.snippet_start, 600) as snippet,
    coalesce(source.snippet_chars > 600, false) as is_cut,
    fixed3(source.score) as score_text
from wanted
inner join cells
    on cells.run_id = wanted.run_id
    and cells.dataset_id = wanted.dataset_id
    and cells.question_id = wanted.question_id
inner join store.source_title as source on source.row_id = cells.row_id
order by wanted.page_key, source.row_id, source.position
