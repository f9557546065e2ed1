-- name: ingest/database_state_v1
-- purpose: Tells a warehouse, an empty database and somebody else's database apart.
-- grain: one row
-- reads: none
-- column: store_tables_n (bigint, tables): base tables of a warehouse
-- column: other_tables_n (bigint, tables): tables that are not a warehouse's
-- order: none
-- nulls: never
-- since: 0.1.0
select
    count(*) filter (where tables.schema_name = 'store' and tables.table_name = 'migration') as store_tables_n,
    count(*) filter (where tables.schema_name <> 'store') as other_tables_n
from duckdb_tables() as tables
where not tables.internal and not tables.temporary
