-- name: retrieval/prepare_question_v1
-- purpose: Makes the tables that carry the vectors of a question and of its keywords into a search; they have the width of the stored vectors
-- grain: connection
-- reads: vectors
-- order: none
-- nulls: never
-- since: 0.1.0
create temporary table question_vector as
select embedding
from vectors
where false;
create temporary table keyword_vectors as
select cast('' as varchar) as keyword_level, embedding
from vectors
where false
