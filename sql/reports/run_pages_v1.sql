-- name: reports/run_pages_v1
-- purpose: Lists the pages of runs, with what each run covered.
-- grain: page_key
-- reads: runs, question_pages
-- param: run_id (varchar, default null): only this run; null takes all
-- column: page_key (varchar): the page
-- column: run_slug (varchar): folder of the page
-- column: run_id (varchar): the run
-- column: cells_n (bigint, rows): cells
-- column: ok_n (bigint, rows): cells with an answer
-- column: errors_n (bigint, rows): cells that failed
-- column: timeouts_n (bigint, rows): cells that ran out of time
-- column: datasets_n (bigint, datasets): datasets asked about
-- column: approaches_n (bigint, approaches): approaches called
-- order: page_key
-- nulls: never
-- since: 0.1.0
with
slug as (
    select pages.run_id, min(pages.run_slug) as run_slug
    from question_pages as pages
    group by pages.run_id
)
select
    runs.run_id as page_key,
    slug.run_slug,
    runs.run_id,
    runs.cells_n,
    runs.ok_n,
    runs.errors_n,
    runs.timeouts_n,
    runs.datasets_n,
    runs.approaches_n
from runs
inner join slug on slug.run_id = runs.run_id
where $run_id is null or runs.run_id = $run_id
order by page_key
