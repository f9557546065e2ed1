-- name: retrieval/tables_v1
-- purpose: Counts the tables of the opened file, to tell an empty file from a foreign one
-- grain: file
-- reads: information_schema.tables
-- column: tables_n (bigint, 0 or more): all tables
-- column: markers_n (bigint, 0 or 1): whether the marker table is among them
-- order: none
-- nulls: never
-- since: 0.1.0
select
    count(*) as tables_n,
    count(*) filter (where table_name = 'corpus_index') as markers_n
from information_schema.tables
