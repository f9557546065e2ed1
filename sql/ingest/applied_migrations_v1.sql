-- name: ingest/applied_migrations_v1
-- purpose: Lists the migrations a warehouse has seen.
-- grain: number
-- reads: store.migration
-- column: number (integer, 1 or more): the migration
-- order: number
-- nulls: never
-- since: 0.1.0
select migration.number
from store.migration as migration
order by migration.number
