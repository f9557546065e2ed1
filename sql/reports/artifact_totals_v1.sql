-- name: reports/artifact_totals_v1
-- purpose: Sums up the published files.
-- grain: one row
-- reads: site.artifact
-- column: files_n (bigint, files): how many there are
-- column: size_bytes (bigint, bytes): their sizes together
-- order: none
-- nulls: never
-- since: 0.1.0
select count(*) as files_n, cast(coalesce(sum(artifact.size_bytes), 0) as bigint) as size_bytes
from site.artifact as artifact
