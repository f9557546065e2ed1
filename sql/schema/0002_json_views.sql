-- name: schema/0002_json_views
-- purpose: Creates the views that take stored rows apart: `evidence`, `sources`, `provenance`.
-- grain: none
-- reads: store.body, store.file
-- order: none
-- nulls: never
-- since: 0.1.0
create view evidence as
select body.row_id, cast(body.body as json) as evidence
from store.body as body;

comment on view evidence is 'One canonical row, whole; fields are read as `evidence ->> ''$.evidence.answer''`.';
comment on column evidence.row_id is 'The cell; join with `cells using (row_id)`.';
comment on column evidence.evidence is 'The row as JSON, exactly as it stands in the evidence file.';

create view sources as
with
source_list as (
    select body.row_id, cast(json_extract(body.body, '$.evidence.sources') as json[]) as items
    from store.body as body
),
source_item as (
    select row_id, unnest(items) as item, generate_subscripts(items, 1) as position
    from source_list
)
select
    row_id,
    position,
    json_extract_string(item, '$.title') as title,
    json_extract_string(item, '$.snippet') as snippet,
    case
        when json_type(item, '$.score') in ('DOUBLE', 'BIGINT', 'UBIGINT')
            then cast(json_extract(item, '$.score') as double)
    end as score
from source_item;

comment on view sources is 'One retrieved source of a cell.';
comment on column sources.row_id is 'The cell; join with `cells using (row_id)`.';
comment on column sources.position is 'Place among the sources of the cell, from 1.';
comment on column sources.title is 'What the approach calls the source.';
comment on column sources.snippet is 'The text that generation saw; earlier systems cut it at 240 characters.';
comment on column sources.score is 'The retrieval score, on the approach''s own scale; null when none or not a number was given.';

create view provenance as
select
    body.row_id,
    json_extract_string(body.body, '$.reproducibility.seed') as seed,
    json_extract(body.body, '$.reproducibility.config_hashes') as config_hashes,
    json_extract(body.body, '$.reproducibility.ingestion') as ingestion,
    json_extract(body.body, '$.reproducibility.runtime') as runtime,
    json_extract_string(body.body, '$.reproducibility.runtime.rag_showcase.commit') as project_commit,
    json_extract_string(body.body, '$.reproducibility.runtime.rag_showcase.tree') as project_tree,
    cast(json_extract_string(body.body, '$.reproducibility.runtime.rag_showcase.dirty') as boolean) as project_dirty,
    json_extract_string(body.body, '$.reproducibility.ingestion.id') as ingestion_id,
    json_extract_string(body.body, '$.reproducibility.ingestion.content_digest') as ingestion_content_digest
from store.body as body;

comment on view provenance is 'What a row depends on besides its question: files, revisions, ingestion, models.';
comment on column provenance.row_id is 'The cell; join with `cells using (row_id)`.';
comment on column provenance.seed is 'The seed of the run.';
comment on column provenance.config_hashes is 'SHA-256 of each configuration file, as JSON.';
comment on column provenance.ingestion is 'The ingestion the answers rest on, as JSON.';
comment on column provenance.runtime is 'Gateway, models and revisions, as JSON.';
comment on column provenance.project_commit is 'Git commit of the project; null when it was not in git.';
comment on column provenance.project_tree is 'Git tree of the project; null when it was not in git.';
comment on column provenance.project_dirty is 'Whether the project had uncommitted changes; null when it was not in git.';
comment on column provenance.ingestion_id is 'The ingestion job.';
comment on column provenance.ingestion_content_digest is 'Digest of the ingested documents.';
