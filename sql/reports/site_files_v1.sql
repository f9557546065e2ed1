-- name: reports/site_files_v1
-- purpose: Lists the published files of measured datasets that a page rests on.
-- grain: name
-- reads: site.dataset, site.snapshot
-- column: name (varchar): as the catalogue writes it
-- column: size_bytes (bigint, bytes): its size
-- column: sha256 (varchar): its hash
-- order: name
-- nulls: size_bytes and sha256 are null when the file cannot be read
-- since: 0.1.0
select snapshot.path as name, min(snapshot.size_bytes) as size_bytes, min(snapshot.sha256) as sha256
from site.snapshot as snapshot
inner join site.dataset as dataset on dataset.position = snapshot.position and dataset.status = 'measured'
where snapshot.path is not null
group by snapshot.path
order by name
