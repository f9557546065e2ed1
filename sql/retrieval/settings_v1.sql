-- name: retrieval/settings_v1
-- purpose: Sets how a connection of the corpus index runs; the order of rows is always stated in the statements. Vectors are stored as they are: the two methods that DuckDB picks for floats save little on them, and undoing them takes twice as long as the cosine itself
-- grain: setting
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
set memory_limit = '256MB';
set threads = 2;
-- An index that answers beside a run must leave the run its memory: what a question freed goes back to the system soon.
set allocator_flush_threshold = '8MB';
set allocator_bulk_deallocation_flush_threshold = '16MB';
set preserve_insertion_order = false;
set disabled_compression_methods = 'alp,alprd';
set enable_external_access = false;
