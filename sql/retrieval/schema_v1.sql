-- name: retrieval/schema_v1
-- purpose: Makes the tables of an empty corpus index
-- grain: table
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
create table corpus_index (
    format varchar not null,
    version integer not null,
    embedding_model varchar not null,
    dimension integer not null
);
comment on table corpus_index is 'one row: what this file is and which model made its vectors';

create table ingestions (
    ingestion_key bigint not null,
    ingestion_id varchar not null,
    profile varchar not null,
    collection varchar not null,
    corpus_path varchar,
    revision varchar not null,
    content_digest varchar not null,
    status varchar not null,
    errors varchar not null,
    counts varchar not null
);
comment on table ingestions is 'one row per job; errors and counts are JSON text';

create table phases (
    ingestion_key bigint not null,
    position integer not null,
    name varchar not null,
    status varchar not null,
    started_at timestamp,
    ended_at timestamp,
    duration_ms bigint,
    counts varchar not null,
    note varchar,
    error varchar
);
comment on table phases is 'eight rows per job, made with it; counts is JSON text';

create table collections (
    collection varchar not null,
    ingestion_key bigint not null,
    documents_n bigint not null,
    chunks_n bigint not null,
    mean_terms_n double not null
);
comment on table collections is 'one row per searchable collection: the ingestion that answers, and its sizes';

create table documents (
    ingestion_key bigint not null,
    source varchar not null,
    is_markdown boolean not null,
    text varchar not null
);
comment on table documents is 'one row per parsed document';

create table chunks (
    ingestion_key bigint not null,
    chunk_key bigint not null,
    chunk_id varchar not null,
    title varchar not null,
    chunk_index bigint not null,
    text varchar not null
);
comment on table chunks is 'one row per chunk; chunk_key counts from 0 in the order of title and chunk_index';

create table terms (
    ingestion_key bigint not null,
    term_key bigint not null,
    term varchar not null,
    chunks_n bigint not null
);
comment on table terms is 'one row per term of an ingestion, with the number of chunks that hold it';

create table postings (
    ingestion_key bigint not null,
    term_key bigint not null,
    chunk_key bigint not null,
    frequency bigint not null,
    chunk_terms_n bigint not null
);
comment on table postings is 'one row per term and chunk, in the order of term_key: how often, and how long the chunk is in terms';
