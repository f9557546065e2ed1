-- name: engine/settings
-- purpose: Keeps a warehouse connection within a laptop: bounded memory, few threads, no network, stable nulls.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
set memory_limit = '176MB';
set threads = 2;
-- A checkpoint writes the last row group of every table anew: few of them, and one when the file is closed.
set wal_autocheckpoint = '256MB';
set preserve_insertion_order = false;
set default_null_order = 'nulls_last';
set autoinstall_known_extensions = false;
set autoload_known_extensions = false;
