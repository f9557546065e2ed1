-- name: engine/settings
-- purpose: Keeps a warehouse connection within a laptop: few threads, no network, stable nulls, and no memory kept that is free. How much memory
--   it may take is a script of its own.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
set threads = 2;
-- What is freed goes back to the system soon, so that the bound on memory is close to what the process really holds.
set allocator_flush_threshold = '16MB';
set allocator_bulk_deallocation_flush_threshold = '32MB';
set preserve_insertion_order = false;
set default_null_order = 'nulls_last';
set autoinstall_known_extensions = false;
set autoload_known_extensions = false;
