-- name: retrieval/collection_v1
-- purpose: Finds the ingestion that answers for a collection; a contextual collection has the negative of its key
-- grain: collection
-- reads: collections, ingestions
-- param: collection (varchar, required): the collection that is searched
-- column: ingestion_key (bigint): the rows that are searched
-- column: documents_n (bigint, 0 or more): documents with text
-- column: chunks_n (bigint, 0 or more): chunks
-- column: mean_terms_n (double, 1 or more): terms of a chunk, on average
-- column: revision (varchar): revision of the profile
-- column: content_digest (varchar): digest of the corpus
-- order: none
-- nulls: never
-- since: 0.1.0
select
    collections.ingestion_key,
    collections.documents_n,
    collections.chunks_n,
    collections.mean_terms_n,
    ingestions.revision,
    ingestions.content_digest
from collections
inner join ingestions on ingestions.ingestion_key = abs(collections.ingestion_key)
where collections.collection = $collection
