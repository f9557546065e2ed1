-- name: asking/corpus_words_v1
-- purpose: Lists the tables and columns of a database, for completion.
-- grain: word
-- reads: none
-- column: word (varchar): the name of a table or a column
-- order: word
-- nulls: never
-- since: 0.1.0
select columns.table_name as word
from duckdb_columns() as columns
where not columns.internal
union
select columns.column_name
from duckdb_columns() as columns
where not columns.internal
order by word
