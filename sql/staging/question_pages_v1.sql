-- name: staging/question_pages_v1
-- purpose: Creates the view `question_pages`: one page for each question of a run, with file names that do not
--   collide, and whether one HTML page of many questions shows it in full: at most 40 of a dataset and 120 of a run, in order
--   of their ids, so that the page stays one that a browser opens.
-- grain: run_id, dataset_id, question_id
-- reads: cells
-- order: none
-- nulls: never
-- since: 0.1.0
create or replace view question_pages as
with
asked as (
    select
        cells.run_id,
        cells.dataset_id,
        cells.question_id,
        min(cells.complexity_level) as complexity_level,
        coalesce(nullif(file_slug(cells.run_id), ''), 'run') as run_name,
        coalesce(nullif(file_slug(concat(cells.dataset_id, '-', cells.question_id)), ''), 'question') as question_name
    from cells
    group by cells.run_id, cells.dataset_id, cells.question_id
),
numbered as (
    select
        asked.*,
        dense_rank() over (partition by asked.run_name order by asked.run_id) as run_number,
        row_number() over (
            partition by asked.run_id, asked.question_name order by asked.dataset_id, asked.question_id
        ) as question_number
    from asked
),
placed as (
    select
        numbered.*,
        count(*) over (partition by numbered.run_id, numbered.dataset_id) as asked_n,
        row_number() over (partition by numbered.run_id, numbered.dataset_id order by numbered.question_id) as place_n
    from numbered
),
-- Rows beyond the place in the dataset come last, so they take no place of the run.
run_placed as (
    select
        placed.*,
        row_number() over (
            partition by placed.run_id
            order by placed.place_n, placed.complexity_level, placed.dataset_id
        ) as run_place_n
    from placed
)
select
    pages.run_id,
    pages.dataset_id,
    pages.question_id,
    pages.complexity_level,
    concat(pages.run_id, chr(31), pages.dataset_id, chr(31), pages.question_id) as page_key,
    case
        when pages.run_number = 1 then pages.run_name
        else concat(pages.run_name, '--', cast(pages.run_number as varchar))
    end as run_slug,
    case
        when pages.question_number = 1 then pages.question_name
        else concat(pages.question_name, '--', cast(pages.question_number as varchar))
    end as question_slug,
    pages.asked_n,
    pages.place_n <= 40 and pages.run_place_n <= 120 as is_on_board
from run_placed as pages;

comment on view question_pages is 'One question of a run, with the names of the page that shows its answers side by side.';
comment on column question_pages.run_id is 'The run.';
comment on column question_pages.dataset_id is 'The dataset.';
comment on column question_pages.question_id is 'The question.';
comment on column question_pages.complexity_level is 'How relational the dataset is; 1 is the plainest.';
comment on column question_pages.page_key is 'Orders the pages: run, dataset and question.';
comment on column question_pages.run_slug is 'The folder of the run''s pages, without characters that file systems or links mind.';
comment on column question_pages.question_slug is 'The page of the question in that folder, without its ending.';
comment on column question_pages.asked_n is 'Questions of the dataset that the run asked.';
comment on column question_pages.is_on_board is 'Whether a single HTML page of the run shows the question in full.';
