-- name: reports/question_pages_v1
-- purpose: Lists the pages of questions, with what was asked.
-- grain: page_key
-- reads: question_pages, questions
-- param: run_id (varchar, default null): only this run; null takes all
-- column: page_key (varchar): the page
-- column: run_slug (varchar): folder of the page
-- column: question_slug (varchar): file of the page
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: complexity_level (bigint, 1 or more): how relational it is
-- column: question_id (varchar): the question
-- column: query (varchar): what was asked, cut at 2000 characters
-- column: ground_truth (varchar): the reference answer, cut at 2000 characters
-- column: rationale (varchar): what a good answer needs, cut at 2000 characters
-- column: expect_winner (varchar): who its author expects to win
-- order: page_key
-- nulls: ground_truth, rationale and expect_winner are null when the question file has none
-- since: 0.1.0
select
    pages.page_key,
    pages.run_slug,
    pages.question_slug,
    pages.run_id,
    pages.dataset_id,
    pages.complexity_level,
    pages.question_id,
    preview(questions.query, 2000) as query,
    preview(questions.ground_truth, 2000) as ground_truth,
    preview(questions.rationale, 2000) as rationale,
    questions.expect_winner
from question_pages as pages
left join questions on questions.dataset_id = pages.dataset_id and questions.question_id = pages.question_id
where $run_id is null or pages.run_id = $run_id
order by pages.page_key
