-- name: retrieval/add_ingestion_v1
-- purpose: Writes down a new job
-- grain: job
-- reads: none
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- param: ingestion_id (varchar, required): the job
-- param: profile (varchar, required): the profile
-- param: collection (varchar, required): where the chunks go
-- param: corpus_path (varchar, required): folder below the corpus root, or null for the profile's own
-- param: revision (varchar, required): hash of the profile
-- param: content_digest (varchar, required): hash of the corpus
-- order: none
-- nulls: never
-- since: 0.1.0
insert into ingestions
    (ingestion_key, ingestion_id, profile, collection, corpus_path, revision, content_digest, status, errors, counts)
values
    ($ingestion_key, $ingestion_id, $profile, $collection, $corpus_path, $revision, $content_digest, 'pending', '[]', '{}')
