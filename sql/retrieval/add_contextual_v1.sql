-- name: retrieval/add_contextual_v1
-- purpose: Adds what the contextual collection needs to a corpus index
-- grain: table
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
create table blurbs (
    ingestion_key bigint not null,
    chunk_key bigint not null,
    blurb varchar not null
);
comment on table blurbs is 'one row per chunk of an ingestion whose blurb has arrived; a killed ingestion goes on from them';
comment on table collections is 'one row per searchable collection: the ingestion that answers, and its sizes; a contextual collection has the negative of the key of the ingestion it was made by';
comment on table chunks is 'one row per chunk; chunk_key counts from 0 in the order of title and chunk_index; under a negative key, blurb and chunk together';
