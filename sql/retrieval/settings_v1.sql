-- name: retrieval/settings_v1
-- purpose: Sets how a connection of the corpus index runs; the order of rows is always stated in the statements
-- grain: setting
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
set preserve_insertion_order = false;
set enable_external_access = false;
