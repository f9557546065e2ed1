-- name: staging/board_questions_v1
-- purpose: Creates the view `staging.board_questions`: the questions that one HTML page shows in full, with their places on it.
-- grain: run_id, dataset_id, question_id
-- reads: question_pages
-- order: none
-- nulls: never
-- since: 0.1.0
create or replace view staging.board_questions as
select
    pages.run_id,
    pages.dataset_id,
    pages.question_id,
    pages.complexity_level,
    pages.page_key,
    concat('question-', pages.run_slug, '-', pages.question_slug) as anchor,
    pages.asked_n
from question_pages as pages
where pages.is_on_board;
