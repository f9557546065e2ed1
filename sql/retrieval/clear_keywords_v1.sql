-- name: retrieval/clear_keywords_v1
-- purpose: Forgets the keywords of the last question
-- grain: connection
-- reads: keyword_vectors
-- order: none
-- nulls: never
-- since: 0.1.0
delete from keyword_vectors
