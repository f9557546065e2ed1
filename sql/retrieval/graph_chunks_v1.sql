-- name: retrieval/graph_chunks_v1
-- purpose: Ranks the chunks that mention entities and relations: half by what they mention (an item counts less the farther back it stands and the more chunks mention it), half by their nearness to the question
-- grain: chunk
-- reads: collections, mentions, vectors, question_vector, chunks
-- param: collection (varchar, required): the collection that is searched
-- param: entity_keys (varchar, required): entity keys separated by commas, best first; empty for none
-- param: relation_keys (varchar, required): relation keys separated by commas, best first; empty for none
-- param: limit (bigint, required): how many at most
-- column: chunk_key (bigint, 0 or more): position of the chunk in the order of title and chunk index
-- column: title (varchar): path of the document inside the corpus mount
-- column: chunk_index (bigint, 0 or more): position of the chunk in its document
-- column: text (varchar): the whole chunk
-- column: score (double, 0 to 1): the two halves together, each scaled by the best chunk
-- order: score desc, title, chunk_index
-- nulls: never
-- since: 0.1.0
with
active_collection as (
    select ingestion_key
    from collections
    where collection = $collection
),
found_subjects as (
    select
        'entity' as subject,
        cast(unnest(string_split($entity_keys, ',')) as bigint) as subject_key,
        unnest(range(1, len(string_split($entity_keys, ',')) + 1)) as position
    where $entity_keys <> ''
    union all
    select
        'relation' as subject,
        cast(unnest(string_split($relation_keys, ',')) as bigint) as subject_key,
        unnest(range(1, len(string_split($relation_keys, ',')) + 1)) as position
    where $relation_keys <> ''
),
found_mentions as (
    select
        mentions.ingestion_key,
        mentions.chunk_key,
        found_subjects.position,
        count(*) over (partition by mentions.subject, mentions.subject_key) as chunks_n
    from mentions
    inner join active_collection on active_collection.ingestion_key = mentions.ingestion_key
    inner join found_subjects
        on found_subjects.subject = mentions.subject and found_subjects.subject_key = mentions.subject_key
),
mentioned_chunks as (
    select
        ingestion_key,
        chunk_key,
        cast(sum(cast(1.0 / (position * (1.0 + ln(chunks_n))) as decimal(38, 18))) as double) as mention_score
    from found_mentions
    group by ingestion_key, chunk_key
),
compared_chunks as (
    select
        mentioned_chunks.ingestion_key,
        mentioned_chunks.chunk_key,
        mentioned_chunks.mention_score,
        greatest(0.0, cast(array_cosine_similarity(vectors.embedding, question_vector.embedding) as double))
            as nearness
    from mentioned_chunks
    inner join vectors
        on vectors.ingestion_key = mentioned_chunks.ingestion_key
        and vectors.chunk_key = mentioned_chunks.chunk_key
    cross join question_vector
),
scored_chunks as (
    select
        ingestion_key,
        chunk_key,
        0.5 * mention_score / max(mention_score) over ()
            + 0.5 * coalesce(nearness / nullif(max(nearness) over (), 0.0), 0.0) as score
    from compared_chunks
)
select scored_chunks.chunk_key, chunks.title, chunks.chunk_index, chunks.text, scored_chunks.score
from scored_chunks
inner join chunks
    on chunks.ingestion_key = scored_chunks.ingestion_key and chunks.chunk_key = scored_chunks.chunk_key
order by scored_chunks.score desc, chunks.title, chunks.chunk_index
limit $limit
