-- name: staging/board_questions_v1
-- purpose: Creates the view `staging.board_questions`: the questions that one HTML page shows in full. At most 40 of a
--   dataset and 120 of a run, in order of their ids, so that the page stays one that a browser opens.
-- grain: run_id, dataset_id, question_id
-- reads: staging.question_pages
-- order: none
-- nulls: never
-- since: 0.1.0
create or replace view staging.board_questions as
with
placed as (
    select
        pages.*,
        row_number() over (
            partition by pages.run_id, pages.dataset_id order by pages.question_id
        ) as place_n,
        count(*) over (partition by pages.run_id, pages.dataset_id) as asked_n
    from staging.question_pages as pages
),
counted as (
    select
        placed.*,
        row_number() over (
            partition by placed.run_id
            order by placed.place_n, placed.complexity_level, placed.dataset_id
        ) as run_place_n
    from placed
    where placed.place_n <= 40
)
select
    counted.run_id,
    counted.dataset_id,
    counted.question_id,
    counted.complexity_level,
    counted.page_key,
    concat('question-', counted.run_slug, '-', counted.question_slug) as anchor,
    counted.asked_n
from counted
where counted.run_place_n <= 120;
