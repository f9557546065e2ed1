-- name: retrieval/clear_question_v1
-- purpose: Forgets the question before
-- grain: question
-- reads: question_vector
-- order: none
-- nulls: never
-- since: 0.1.0
delete from question_vector
