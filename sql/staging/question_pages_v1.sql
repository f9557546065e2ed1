-- name: staging/question_pages_v1
-- purpose: Creates the view `staging.question_pages`: one page for each question of a run, with file names that do not
--   collide.
-- grain: run_id, dataset_id, question_id
-- reads: cells
-- order: none
-- nulls: never
-- since: 0.1.0
create or replace view staging.question_pages as
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
)
select
    numbered.run_id,
    numbered.dataset_id,
    numbered.question_id,
    numbered.complexity_level,
    concat(numbered.run_id, chr(31), numbered.dataset_id, chr(31), numbered.question_id) as page_key,
    case
        when numbered.run_number = 1 then numbered.run_name
        else concat(numbered.run_name, '--', cast(numbered.run_number as varchar))
    end as run_slug,
    case
        when numbered.question_number = 1 then numbered.question_name
        else concat(numbered.question_name, '--', cast(numbered.question_number as varchar))
    end as question_slug
from numbered;
