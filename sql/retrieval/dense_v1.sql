-- name: retrieval/dense_v1
-- purpose: Ranks the chunks of a collection by cosine similarity to the question's vector, by an exact scan
-- grain: chunk
-- reads: vectors, question_vector, chunks
-- param: ingestion_key (bigint, required): the ingestion that answers for the collection
-- param: limit (bigint, required): how many chunks at most
-- column: chunk_key (bigint, 0 or more): position of the chunk in the order of title and chunk index
-- column: title (varchar): path of the document inside the corpus mount
-- column: chunk_index (bigint, 0 or more): position of the chunk in its document
-- column: text (varchar): the whole chunk
-- column: score (double, -1 to 1): cosine similarity
-- order: score desc, title, chunk_index
-- nulls: never
-- since: 0.1.0
with
nearest_chunks as (
    select
        vectors.chunk_key,
        cast(array_cosine_similarity(vectors.embedding, question_vector.embedding) as double) as score
    from vectors
    cross join question_vector
    where vectors.ingestion_key = $ingestion_key
    order by score desc, vectors.chunk_key
    limit $limit
)
select nearest_chunks.chunk_key, chunks.title, chunks.chunk_index, chunks.text, nearest_chunks.score
from nearest_chunks
inner join chunks on chunks.chunk_key = nearest_chunks.chunk_key
where chunks.ingestion_key = $ingestion_key
order by nearest_chunks.score desc, chunks.title, chunks.chunk_index
