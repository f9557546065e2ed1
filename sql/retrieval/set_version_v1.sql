-- name: retrieval/set_version_v1
-- purpose: Says which format a file has after it was brought up to date
-- grain: file
-- reads: corpus_index
-- param: version (integer, required): version of the format
-- order: none
-- nulls: never
-- since: 0.1.0
update corpus_index
set version = $version
