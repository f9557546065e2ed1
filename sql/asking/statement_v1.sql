-- name: asking/statement_v1
-- purpose: Says whether a statement only reads. The engine's own reader turns it into a tree, which it does for statements
--   that read and for no others; in the tree stand the functions that act when they are called, even from a select.
-- grain: one row
-- reads: none
-- param: statement (varchar, required): what a person typed
-- column: is_reading (varchar): true, false, or malformed when it cannot be read, which the engine tells better
-- column: acting_function (varchar): the first function in it that does more than read; null when there is none
-- order: none
-- nulls: is_reading is null for a null statement
-- since: 0.1.0
with
explained as (
    select
        regexp_replace(
            $statement,
            '^(\s|--[^\n]*(\n|$)|/\*([^*]|\*+[^*/])*\*+/)*explain(\s*\([^)]*\))?(\s+analyze)?\s',
            '',
            'i'
        ) as statement
),
parsed as (
    select lower(cast(json_serialize_sql(cast(statement as varchar)) as varchar)) as tree
    from explained
)
select
    case
        when tree like '{"error":true,"error_type":"not implemented"%' then 'false'
        when tree like '{"error":true%' then 'malformed'
        when tree is not null then 'true'
    end as is_reading,
    nullif(
        regexp_extract(
            tree,
            '"function_name":"(enable_logging|disable_logging|truncate_duckdb_logs|write_log|checkpoint|force_checkpoint'
            || '|query|json_execute_serialized_sql|pg_sleep|sleep_ms|start_ui|stop_ui_server)"',
            1
        ),
        ''
    ) as acting_function
from parsed
