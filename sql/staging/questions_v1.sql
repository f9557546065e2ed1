-- name: staging/questions_v1
-- purpose: Creates the view `questions`: the questions that rows exist for.
-- grain: dataset_id, question_id
-- reads: store.cell
-- order: none
-- nulls: reference, rationale and expected winner are null when the question file has none
-- since: 0.1.0
create or replace view questions as
select
    dataset_id,
    question_id,
    min(query) as query,
    min(ground_truth) as ground_truth,
    min(rationale) as rationale,
    min(expect_winner) as expect_winner,
    count(distinct query) as wordings_n,
    count(*) as cells_n
from store.cell
group by dataset_id, question_id;

comment on view questions is 'One question of one dataset that rows exist for.';
comment on column questions.dataset_id is 'The dataset.';
comment on column questions.question_id is 'Names the question within its dataset.';
comment on column questions.query is 'What was asked; the first by name when runs asked differently.';
comment on column questions.ground_truth is 'The reference answer; null when there is none.';
comment on column questions.rationale is 'What a good answer needs; null when not given.';
comment on column questions.expect_winner is 'The approach its author expects to win; null when not given.';
comment on column questions.wordings_n is 'Different wordings found; more than 1 means that runs are not comparable here.';
comment on column questions.cells_n is 'Rows on disk.';
