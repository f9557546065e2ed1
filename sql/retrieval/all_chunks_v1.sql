-- name: retrieval/all_chunks_v1
-- purpose: Reads every chunk of a collection, as graph building wants them
-- grain: chunk
-- reads: collections, chunks
-- param: collection (varchar, required): the collection that is searched
-- column: title (varchar): path of the document inside the corpus mount
-- column: text (varchar): the whole chunk
-- order: title, text, chunk_key
-- nulls: never
-- since: 0.1.0
select chunks.title, chunks.text
from chunks
inner join collections on collections.ingestion_key = chunks.ingestion_key
where collections.collection = $collection
order by chunks.title, chunks.text, chunks.chunk_key
