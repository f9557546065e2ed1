-- name: ingest/record_definition_v1
-- purpose: Notes the hash of the macros and views that were installed.
-- grain: none
-- reads: none
-- param: sha256 (varchar, required): over the texts of the engine and staging files
-- order: none
-- nulls: never
-- since: 0.1.0
insert into store.definition (sha256) values ($sha256)
