-- name: retrieval/add_graph_v1
-- purpose: Adds the tables of the knowledge graph to a corpus index
-- grain: table
-- reads: vectors
-- order: none
-- nulls: never
-- since: 0.1.0
create table extractions (
    ingestion_key bigint not null,
    chunk_key bigint not null,
    extraction varchar not null
);
comment on table extractions is 'one row per chunk that was read: what the extract role found in it, as JSON; a killed ingestion goes on from them';

create table entities (
    ingestion_key bigint not null,
    entity_key bigint not null,
    name varchar not null,
    kind varchar not null,
    aliases varchar not null,
    lookup_names varchar not null,
    description varchar not null,
    chunks_n bigint not null
);
comment on table entities is 'one row per thing of an ingestion';
comment on column entities.entity_key is 'counts from 0 in the order of the normalised name';
comment on column entities.name is 'the spelling met most often';
comment on column entities.kind is 'the kind given most often; may be empty';
comment on column entities.aliases is 'other spellings and names, sorted, one a line';
comment on column entities.lookup_names is 'all names in the form that is compared, each between two line feeds';
comment on column entities.description is 'what chunks say about it, at most 600 characters';
comment on column entities.chunks_n is 'how many chunks mention it';

create table relations (
    ingestion_key bigint not null,
    relation_key bigint not null,
    source_key bigint not null,
    target_key bigint not null,
    kind varchar not null,
    description varchar not null,
    weight bigint not null
);
comment on table relations is 'one row per ordered pair of entities that chunks relate';
comment on column relations.relation_key is 'counts from 0 in the order of source_key and target_key';
comment on column relations.kind is 'how chunks name the relation, most frequent first, separated by semicolons';
comment on column relations.description is 'what chunks say about it, at most 600 characters';
comment on column relations.weight is 'how often it was found, 1 or more';

create table mentions (
    ingestion_key bigint not null,
    subject varchar not null,
    subject_key bigint not null,
    chunk_key bigint not null
);
comment on table mentions is 'one row per entity or relation and chunk that mentions it';
comment on column mentions.subject is 'entity or relation';
comment on column mentions.subject_key is 'entity_key or relation_key';

create table graphs (
    ingestion_key bigint not null,
    entities_n bigint not null,
    relations_n bigint not null
);
comment on table graphs is 'one row per ingestion whose graph is complete';

create table graph_vectors as
select ingestion_key, cast('' as varchar) as subject, chunk_key as subject_key, embedding
from vectors
where false;
comment on table graph_vectors is 'the vector of an entity (name and description) or of a relation (its ends, kind and description)';
