-- name: reports/artifact_ledger_v1
-- purpose: Lists the published files with their sizes and hashes.
-- grain: path
-- reads: site.artifact
-- column: path (varchar): file name within the results folder
-- column: is_linked (boolean): whether that path may be a link
-- column: kind (varchar): what the file holds
-- column: size_bytes (bigint, bytes): its size
-- column: sha256 (varchar): its hash
-- order: path
-- nulls: never
-- since: 0.1.0
select
    artifact.path,
    coalesce(is_plain_path(artifact.path), false) as is_linked,
    case
        when artifact.path like '%-evidence.jsonl' then 'evidence: one canonical row a line'
        when artifact.path like '%-judgments.json' then 'verdicts of the judge panel'
        when artifact.path like '%-evaluation.json' then 'evaluation summary'
        when artifact.path like '%-matrix.json' then 'answers as a matrix'
        when artifact.path like '%.csv' then 'table'
        else 'other'
    end as kind,
    artifact.size_bytes,
    artifact.sha256
from site.artifact as artifact
order by artifact.path
