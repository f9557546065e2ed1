-- name: retrieval/marker_v1
-- purpose: Reads what the file says it is
-- grain: file
-- reads: corpus_index
-- column: format (varchar): name of the format
-- column: version (integer, 1 or more): version of the format
-- column: embedding_model (varchar): who made the vectors
-- column: dimension (integer, 1 or more): components of a vector
-- order: none
-- nulls: never
-- since: 0.1.0
select format, version, embedding_model, dimension
from corpus_index
