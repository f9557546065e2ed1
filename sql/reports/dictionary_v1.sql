-- name: reports/dictionary_v1
-- purpose: Lists the views people read and their columns, from the comments stored in the database.
-- grain: view, position
-- reads: none
-- param: view (varchar, default null): only this view; null takes all
-- column: view (varchar): the view
-- column: view_meaning (varchar): what one row of it is
-- column: position (integer, 1 or more): place of the column in the view
-- column: column (varchar): the column
-- column: type (varchar): its SQL type
-- column: meaning (varchar): what it says, with unit and when it is null
-- order: view, position
-- nulls: meanings are null where a comment is missing
-- since: 0.1.0
select
    columns.table_name as view,
    views.comment as view_meaning,
    columns.column_index as position,
    columns.column_name as column,
    columns.data_type as type,
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
