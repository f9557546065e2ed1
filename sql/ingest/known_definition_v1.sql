-- name: ingest/known_definition_v1
-- purpose: Gives the hash of the macros and views that are installed.
-- grain: one row at most
-- reads: store.definition
-- column: sha256 (varchar): over the texts of the engine and staging files
-- order: none
-- nulls: never
-- since: 0.1.0
select definition.sha256
from store.definition as definition
