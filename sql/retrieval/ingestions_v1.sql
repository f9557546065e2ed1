-- name: retrieval/ingestions_v1
-- purpose: Lists jobs with their state
-- grain: job
-- reads: ingestions, collections
-- param: ingestion_id (varchar, default null): only this job; null takes all
-- column: ingestion_key (bigint, 1 or more): number of the job in this file
-- column: ingestion_id (varchar): stable id
-- column: profile (varchar): the profile
-- column: collection (varchar): where the chunks go
-- column: corpus_path (varchar): folder below the corpus root that replaced the profile's own
-- column: revision (varchar): hash of the profile
-- column: status (varchar): pending, running, completed, failed or cancelled
-- column: errors (varchar): JSON array
-- column: counts (varchar): JSON object
-- column: content_digest (varchar): hash of the corpus
-- column: is_current (boolean): whether its collection answers from it
-- order: ingestion_key
-- nulls: corpus_path when the profile's own folder is used
-- since: 0.1.0
select
    ingestions.ingestion_key,
    ingestions.ingestion_id,
    ingestions.profile,
    ingestions.collection,
    ingestions.corpus_path,
    ingestions.revision,
    ingestions.status,
    ingestions.errors,
    ingestions.counts,
    ingestions.content_digest,
    collections.ingestion_key is not null as is_current
from ingestions
left join collections
    on collections.collection = ingestions.collection and collections.ingestion_key = ingestions.ingestion_key
where $ingestion_id is null or ingestions.ingestion_id = $ingestion_id
order by ingestions.ingestion_key
