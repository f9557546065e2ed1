-- name: retrieval/documents_v1
-- purpose: Reads the parsed documents of a job
-- grain: document
-- reads: documents
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- column: source (varchar): path inside the corpus mount
-- column: is_markdown (boolean): whether headings mean something
-- column: text (varchar): the whole document
-- order: source
-- nulls: never
-- since: 0.1.0
select source, is_markdown, text
from documents
where ingestion_key = $ingestion_key
order by source
