-- name: engine/lock_down
-- purpose: Leaves a connection nothing but reading its own tables: no files, no network, no settings.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
set enable_external_access = false;
set lock_configuration = true;
