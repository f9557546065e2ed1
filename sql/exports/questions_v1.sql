-- name: exports/questions_v1
-- purpose: Gives the questions that rows exist for.
-- grain: dataset_id, question_id
-- reads: questions
-- column: dataset_id (varchar): the dataset
-- column: question_id (varchar): names the question within its dataset
-- column: query (varchar): what was asked
-- column: ground_truth (varchar): the reference answer
-- column: rationale (varchar): what a good answer needs
-- column: expect_winner (varchar): the approach its author expects to win
-- column: wordings_n (bigint, wordings): different wordings found; more than 1 makes runs not comparable here
-- column: cells_n (bigint, cells): rows on disk
-- order: dataset_id, question_id
-- nulls: reference, rationale and expected winner are null when the question file has none
-- since: 0.2.0
select
    questions.dataset_id,
    questions.question_id,
    questions.query,
    questions.ground_truth,
    questions.rationale,
    questions.expect_winner,
    questions.wordings_n,
    questions.cells_n
from questions
order by questions.dataset_id, questions.question_id
