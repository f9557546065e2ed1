-- name: reports/leaderboard_columns_v1
-- purpose: Lists the columns of the four leaderboard tables, as their headers need them.
-- grain: table_id, position
-- reads: staging.leaderboard_columns
-- column: table_id (varchar): base-overall, base-by-dataset, flavor-overall or flavor-by-dataset
-- column: position (bigint, 1 or more): place of the column
-- column: column_key (varchar): names the column for programs
-- column: label (varchar): names it for people, with its unit
-- column: sort_type (varchar): number or text
-- column: sort_direction (varchar): which end is better: higher, lower or neutral
-- order: table_id, position
-- nulls: never
-- since: 0.1.0
select
    columns.table_id,
    columns.position,
    columns.column_key,
    columns.label,
    columns.sort_type,
    columns.sort_direction
from staging.leaderboard_columns as columns
order by columns.table_id, columns.position
