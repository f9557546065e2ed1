-- name: retrieval/mark_v1
-- purpose: Says what the file is
-- grain: file
-- reads: none
-- param: format (varchar, required): name of the format
-- param: version (integer, required): version of the format
-- param: embedding_model (varchar, required): who makes the vectors
-- param: dimension (integer, required): components of a vector
-- order: none
-- nulls: never
-- since: 0.1.0
insert into corpus_index (format, version, embedding_model, dimension)
values ($format, $version, $embedding_model, $dimension)
