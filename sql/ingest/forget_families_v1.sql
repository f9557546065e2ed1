-- name: ingest/forget_families_v1
-- purpose: Forgets every declared family.
-- grain: none
-- reads: store.family
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.family
