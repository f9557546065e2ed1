-- name: retrieval/create_vectors_v1
-- purpose: Makes the vector table with the width of the vectors it is shown
-- grain: chunk
-- reads: none
-- param: array (ubigint, required): address of an Arrow batch with the columns of the table
-- param: schema (ubigint, required): address of its Arrow schema
-- order: none
-- nulls: never
-- since: 0.1.0
create table vectors as
select ingestion_key, chunk_key, embedding
from arrow($array, $schema)
