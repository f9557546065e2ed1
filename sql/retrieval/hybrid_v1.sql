-- name: retrieval/hybrid_v1
-- purpose: Joins dense and BM25 search by relative-score fusion: each set is scaled to 0..weight between its worst and its best score in single precision (a set of one score gets the full weight), then the two are added; a set of weight 0 is not searched
-- grain: chunk
-- reads: vectors, question_vector, terms, postings, chunks
-- param: ingestion_key (bigint, required): the ingestion that answers for the collection
-- param: chunks_n (bigint, required): chunks of the collection
-- param: mean_terms_n (double, required): terms of a chunk of the collection, on average
-- param: terms (varchar, required): the terms of the question, separated by one space
-- param: alpha (double, required): weight of the dense set, 0 to 1; the BM25 set has the rest
-- param: candidates (bigint, required): how many chunks each set brings at most
-- param: limit (bigint, required): how many chunks at most
-- column: chunk_key (bigint, 0 or more): position of the chunk in the order of title and chunk index
-- column: title (varchar): path of the document inside the corpus mount
-- column: chunk_index (bigint, 0 or more): position of the chunk in its document
-- column: text (varchar): the whole chunk
-- column: score (double, 0 to 1): the fused score
-- order: score desc, title, chunk_index
-- nulls: never
-- since: 0.1.0
with
dense_set as (
    select
        vectors.chunk_key,
        cast(array_cosine_similarity(vectors.embedding, question_vector.embedding) as double) as score
    from vectors
    cross join question_vector
    where vectors.ingestion_key = $ingestion_key and $alpha > 0
    order by score desc, vectors.chunk_key
    limit $candidates
),
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
lexical_set as (
    select chunk_key, cast(sum(cast(score as decimal(18, 14))) as double) as score
    from term_scores
    where $alpha < 1
    group by chunk_key
    order by score desc, chunk_key
    limit $candidates
),
weighted_sets as (
    select chunk_key, score, cast($alpha as double) as weight,
        min(score) over () as worst, max(score) over () as best
    from dense_set
    union all
    select chunk_key, score, 1.0 - cast($alpha as double) as weight,
        min(score) over () as worst, max(score) over () as best
    from lexical_set
),
fused_chunks as (
    select
        chunk_key,
        cast(sum(cast(
            case when best > worst then weight * (score - worst) / (best - worst) else weight end as float
        )) as double) as score
    from weighted_sets
    group by chunk_key
    order by score desc, chunk_key
    limit $limit
)
select fused_chunks.chunk_key, chunks.title, chunks.chunk_index, chunks.text, fused_chunks.score
from fused_chunks
inner join chunks on chunks.chunk_key = fused_chunks.chunk_key
where chunks.ingestion_key = $ingestion_key
order by fused_chunks.score desc, chunks.title, chunks.chunk_index
