-- name: retrieval/remove_collection_v1
-- purpose: Takes a collection out before its next ingestion takes over, in the same transaction
-- grain: collection
-- reads: collections
-- param: collection (varchar, required): the collection that is searched
-- order: none
-- nulls: never
-- since: 0.1.0
delete from collections
where collection = $collection
