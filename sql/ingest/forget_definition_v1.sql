-- name: ingest/forget_definition_v1
-- purpose: Forgets the hash of the installed macros and views, before new ones are installed.
-- grain: none
-- reads: store.definition
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.definition
