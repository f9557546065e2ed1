-- name: retrieval/bm25_v1
-- purpose: Ranks the chunks of a collection by BM25 (k1 1.2, b 0.75, inverse document frequency ln(1 + (N - n + 0.5) / (n + 0.5))), each question term counted once; term scores are added as decimals, so their order cannot change a digit
-- grain: chunk that holds a term of the question
-- reads: collections, terms, postings, chunks
-- param: collection (varchar, required): the collection that is searched
-- param: terms (varchar, required): the terms of the question, separated by one space
-- param: limit (bigint, required): how many chunks at most
-- column: chunk_key (bigint, 0 or more): position of the chunk in the order of title and chunk index
-- column: title (varchar): path of the document inside the corpus mount
-- column: chunk_index (bigint, 0 or more): position of the chunk in its document
-- column: text (varchar): the whole chunk
-- column: score (double, above 0): BM25
-- order: score desc, title, chunk_index
-- nulls: never
-- since: 0.1.0
with
active_collection as (
    select ingestion_key, chunks_n, mean_terms_n
    from collections
    where collection = $collection
),
asked_terms as (
    select
        terms.ingestion_key,
        terms.term_key,
        ln(1.0 + (active_collection.chunks_n - terms.chunks_n + 0.5) / (terms.chunks_n + 0.5)) as rarity,
        active_collection.mean_terms_n
    from terms
    inner join active_collection on active_collection.ingestion_key = terms.ingestion_key
    where terms.term in (select unnest(string_split($terms, ' ')))
),
term_scores as (
    select
        postings.ingestion_key,
        postings.chunk_key,
        asked_terms.rarity * postings.frequency * (1.2 + 1.0) / (
            postings.frequency + 1.2 * (1.0 - 0.75 + 0.75 * postings.chunk_terms_n / asked_terms.mean_terms_n)
        ) as score
    from postings
    inner join asked_terms
        on asked_terms.ingestion_key = postings.ingestion_key and asked_terms.term_key = postings.term_key
),
best_chunks as (
    select ingestion_key, chunk_key, cast(sum(cast(score as decimal(38, 18))) as double) as score
    from term_scores
    group by ingestion_key, chunk_key
    order by score desc, chunk_key
    limit $limit
)
select best_chunks.chunk_key, chunks.title, chunks.chunk_index, chunks.text, best_chunks.score
from best_chunks
inner join chunks
    on chunks.ingestion_key = best_chunks.ingestion_key and chunks.chunk_key = best_chunks.chunk_key
order by best_chunks.score desc, chunks.title, chunks.chunk_index
