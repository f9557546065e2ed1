-- name: retrieval/prepare_question_v1
-- purpose: Makes the table that carries a question's vector into a search; it has the width of the stored vectors
-- grain: connection
-- reads: vectors
-- order: none
-- nulls: never
-- since: 0.1.0
create temporary table question_vector as
select embedding
from vectors
where false
