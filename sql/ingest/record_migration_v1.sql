-- name: ingest/record_migration_v1
-- purpose: Notes that a migration was applied.
-- grain: none
-- reads: none
-- param: number (integer, required): the migration
-- order: none
-- nulls: never
-- since: 0.1.0
insert into store.migration (number) values ($number)
