-- name: reports/board_sources_v1
-- purpose: Lists what every answer on one HTML page was made from.
-- grain: page_key, row_id, position
-- reads: cells, store.body, staging.board_questions
-- param: run_id (varchar, default null): only this run; null takes all
-- column: page_key (varchar): the page
-- column: row_id (varchar): the cell
-- column: position (bigint, 1 or more): place among the sources
-- column: title (varchar): what the approach calls it
-- column: snippet (varchar): its text, cut at 400 characters
-- column: is_cut (boolean): whether the text goes on
-- column: score_text (varchar): its retrieval score, on the approach's own scale
-- order: page_key, row_id, position
-- nulls: title, snippet and score_text are null when the approach gave none
-- since: 0.1.0
with
wanted as (
    select pages.page_key, pages.run_id, pages.dataset_id, pages.question_id
    from staging.board_questions as pages
    where $run_id is null or pages.run_id = $run_id
),
-- The rows are chosen before their JSON is opened: opening all of them would take longer than everything else.
chosen as (
    select wanted.page_key, cells.row_id, json_extract(body.body, '$.evidence.sources') as items
    from wanted
    inner join cells
        on cells.run_id = wanted.run_id
        and cells.dataset_id = wanted.dataset_id
        and cells.question_id = wanted.question_id
    inner join store.body as body on body.row_id = cells.row_id
),
source_item as (
    select
        chosen.page_key,
        chosen.row_id,
        unnest(cast(chosen.items as json[])) as item,
        generate_subscripts(cast(chosen.items as json[]), 1) as position
    from chosen
)
select
    source_item.page_key,
    source_item.row_id,
    source_item.position,
    preview(json_extract_string(source_item.item, '$.title'), 200) as title,
    preview(json_extract_string(source_item.item, '$.snippet'), 400) as snippet,
    coalesce(length(json_extract_string(source_item.item, '$.snippet')) > 400, false) as is_cut,
    case
        when json_type(source_item.item, '$.score') in ('DOUBLE', 'BIGINT', 'UBIGINT')
            then fixed3(cast(json_extract(source_item.item, '$.score') as double))
    end as score_text
from source_item
order by source_item.page_key, source_item.row_id, source_item.position
