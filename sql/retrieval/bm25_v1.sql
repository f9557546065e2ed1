-- name: retrieval/bm25_v1
-- purpose: Ranks the chunks of a collection by BM25 (k1 1.2, b 0.75, inverse document frequency ln(1 + (N - n + 0.5) / (n + 0.5))), each question term counted as often as the question holds it; term scores are added as decimals, so their order cannot change a digit
-- grain: chunk that holds a term of the question
-- reads: terms, postings, chunks
-- param: ingestion_key (bigint, required): the ingestion that answers for the collection
-- param: chunks_n (bigint, required): chunks of the collection
-- param: mean_terms_n (double, required): terms of a chunk of the collection, on average
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
question_terms as (
    select asked.term, count(*) as asked_n
    from (select unnest(string_split($terms, ' ')) as term) as asked
    group by asked.term
),
asked_terms as (
    select
        terms.term_key,
        cast(question_terms.asked_n as double) * ln(
            1e0 + (cast($chunks_n as double) - cast(terms.chunks_n as double) + 0.5e0) / (cast(terms.chunks_n as double) + 0.5e0)
        ) as rarity
    from terms
    inner join question_terms on question_terms.term = terms.term
    where terms.ingestion_key = $ingestion_key
),
term_scores as (
    select
        postings.chunk_key,
        asked_terms.rarity * cast(postings.frequency as double) * 2.2e0 / (
            cast(postings.frequency as double)
            + 1.2e0 * (0.25e0 + 0.75e0 * cast(postings.chunk_terms_n as double) / cast($mean_terms_n as double))
        ) as score
    from postings
    inner join asked_terms on asked_terms.term_key = postings.term_key
    where postings.ingestion_key = $ingestion_key
),
best_chunks as (
    select chunk_key, cast(sum(cast(score as decimal(18, 14))) as double) as score
    from term_scores
    group by chunk_key
    order by score desc, chunk_key
    limit $limit
)
select best_chunks.chunk_key, chunks.title, chunks.chunk_index, chunks.text, best_chunks.score
from best_chunks
inner join chunks on chunks.chunk_key = best_chunks.chunk_key
where chunks.ingestion_key = $ingestion_key
order by best_chunks.score desc, chunks.title, chunks.chunk_index
