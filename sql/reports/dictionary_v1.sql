-- name: reports/dictionary_v1
-- purpose: Lists the views people read and their columns, from the comments stored in the database, with the units that the
--   names carry.
-- grain: view, position
-- reads: none
-- param: view (varchar, default null): only this view; null takes all
-- column: view (varchar): the view
-- column: view_meaning (varchar): what one row of it is
-- column: position (integer, 1 or more): place of the column in the view
-- column: column (varchar): the column
-- column: type (varchar): its SQL type
-- column: unit (varchar): its unit
-- column: meaning (varchar): what it says, with its range and when it is null
-- order: view, position
-- nulls: meanings are null where a comment is missing; unit is null where a column has none
-- since: 0.2.0
select
    columns.table_name as view,
    views.comment as view_meaning,
    columns.column_index as position,
    columns.column_name as column,
    columns.data_type as type,
    case
        when columns.data_type = 'BOOLEAN' or columns.data_type = 'VARCHAR' then null
        when columns.column_name like '%\_ms' escape '\' then 'ms'
        when columns.column_name like '%\_s' escape '\' then 's'
        when columns.column_name like '%\_bytes' escape '\' then 'bytes'
        when columns.column_name like '%tokens' then 'tokens'
        when columns.column_name like '%\_ratio' escape '\' then '0..1'
        when columns.column_name like '%\_n' escape '\' then 'count'
        when columns.column_name in ('attempts', 'llm_calls', 'chunks') then 'count'
    end as unit,
    columns.comment as meaning
from duckdb_columns() as columns
inner join duckdb_views() as views
    on views.view_name = columns.table_name
    and views.schema_name = columns.schema_name
    and views.database_oid = columns.database_oid
where
    columns.schema_name = 'main'
    and not views.internal
    and ($view is null or columns.table_name = $view)
order by columns.table_name, columns.column_index
