-- name: exports/cells_v1
-- purpose: Gives every canonical row with its contexts, sources and scores in typed lists, for notebooks.
-- grain: one canonical row
-- reads: store.cell, store.file, store.body, store.score
-- param: runs (varchar, default null): JSON list of the runs wanted; null takes all
-- param: dataset_id (varchar, default null): only this dataset; null takes all
-- param: file_id (bigint, default null): only this evidence file, by its number; null takes all
-- param: first_line (bigint, default null): first line wanted; null begins with the first
-- param: last_line (bigint, default null): last line wanted; null ends with the last
-- column: run_id (varchar): names the run
-- column: dataset_id (varchar): the dataset asked about
-- column: dataset_label (varchar): its name as people read it
-- column: complexity_level (bigint, 1 or more): how relational the dataset is
-- column: question_id (varchar): the question, unique within its dataset
-- column: query (varchar): what was asked
-- column: ground_truth (varchar): the reference answer
-- column: rationale (varchar): what a good answer needs
-- column: expect_winner (varchar): the approach its author expects to win
-- column: approach (varchar): the alias that was called
-- column: base_approach (varchar): the approach behind it
-- column: flavor (varchar): its flavor
-- column: evidence_capability (varchar): answer_only or answer_with_contexts
-- column: requires_reingest (boolean): whether the flavor needs its own ingestion
-- column: provider (varchar): what kind of gateway answered
-- column: status (varchar): ok, error or timeout
-- column: latency_ms (bigint, ms): wall time over all attempts
-- column: attempts (bigint, 1 or more): calls made
-- column: prompt_tokens (bigint, tokens): as the gateway counted
-- column: completion_tokens (bigint, tokens): as the gateway counted
-- column: total_tokens (bigint, tokens): as the gateway counted
-- column: llm_calls (bigint, calls): model calls behind the answer
-- column: chunks (bigint, chunks): chunks the gateway says it used
-- column: answer (varchar): the answer; empty on failed rows
-- column: transport (varchar): structured or rendered
-- column: contexts (varchar[]): the texts that generation saw, in order
-- column: sources (struct(title varchar, snippet varchar, score double)[]): what was retrieved, in order; a score that is
--   no number is null
-- column: scores (struct(metric varchar, requested boolean, score double, not_evaluable_reason varchar, error varchar)[]):
--   what the row says of each metric, in order of the metric
-- column: error_type (varchar): why the cell failed, one word
-- column: error_message (varchar): why the cell failed, in words
-- column: ragas_status (varchar): how scoring went as a whole
-- column: evaluator_model (varchar): the model that scored
-- column: embeddings_model (varchar): the embedding model used for scoring
-- column: judge_status (varchar): pending or disabled at the time of the run
-- column: seed (varchar): the seed of the run, as text
-- column: schema_version (bigint): version of the row's shape
-- column: runner_version (bigint): version of the rules that made it
-- column: row_id (varchar): identity of the cell, 64 hex digits
-- column: source_file (varchar): name of the evidence file
-- column: source_line (bigint, 1 or more): line in it
-- order: source_file, path of the file, source_line
-- nulls: as in the row; a list is null when the row has none, and empty when the row has an empty one
-- since: 0.2.0
with
wanted_cell as (
    select cell.*, file.path
    from store.cell as cell
    inner join store.file as file on file.file_id = cell.file_id
    where
        ($file_id is null or cell.file_id = $file_id)
        and ($first_line is null or cell.line >= $first_line)
        and ($last_line is null or cell.line <= $last_line)
        and ($dataset_id is null or cell.dataset_id = $dataset_id)
        and ($runs is null or list_contains(cast(cast($runs as json) as varchar[]), cell.run_id))
),
parsed_body as (
    select
        body.file_id,
        body.line,
        json_transform(
            json_extract(body.body, '$.evidence'),
            '{"contexts": ["VARCHAR"], "sources": [{"title": "VARCHAR", "snippet": "VARCHAR", "score": "JSON"}]}'
        ) as evidence
    from store.body as body
    where
        ($file_id is null or body.file_id = $file_id)
        and ($first_line is null or body.line >= $first_line)
        and ($last_line is null or body.line <= $last_line)
),
listed_score as (
    select
        score.file_id,
        score.line,
        list(
            struct_pack(
                metric := score.metric,
                requested := score.requested,
                score := score.score,
                not_evaluable_reason := score.not_evaluable_reason,
                error := score.metric_error
            )
            order by score.metric
        ) as scores
    from store.score as score
    where
        ($file_id is null or score.file_id = $file_id)
        and ($first_line is null or score.line >= $first_line)
        and ($last_line is null or score.line <= $last_line)
    group by score.file_id, score.line
)
select
    wanted_cell.run_id,
    wanted_cell.dataset_id,
    wanted_cell.dataset_label,
    wanted_cell.complexity_level,
    wanted_cell.question_id,
    wanted_cell.query,
    wanted_cell.ground_truth,
    wanted_cell.rationale,
    wanted_cell.expect_winner,
    wanted_cell.approach,
    wanted_cell.base_approach,
    wanted_cell.flavor,
    wanted_cell.evidence_capability,
    wanted_cell.requires_reingest,
    wanted_cell.provider,
    wanted_cell.status,
    wanted_cell.latency_ms,
    wanted_cell.attempts,
    wanted_cell.prompt_tokens,
    wanted_cell.completion_tokens,
    wanted_cell.total_tokens,
    wanted_cell.llm_calls,
    wanted_cell.chunks,
    wanted_cell.answer,
    wanted_cell.transport,
    parsed_body.evidence.contexts as contexts,
    list_transform(
        parsed_body.evidence.sources,
        lambda source: struct_pack(
            title := source.title,
            snippet := source.snippet,
            score := case
                when json_type(source.score) in ('DOUBLE', 'BIGINT', 'UBIGINT') then cast(source.score as double)
            end
        )
    ) as sources,
    coalesce(listed_score.scores, []) as scores,
    wanted_cell.error_type,
    wanted_cell.error_message,
    wanted_cell.ragas_status,
    wanted_cell.evaluator_model,
    wanted_cell.embeddings_model,
    wanted_cell.judge_status,
    wanted_cell.seed,
    wanted_cell.schema_version,
    wanted_cell.runner_version,
    wanted_cell.row_id,
    file_name_of(wanted_cell.path) as source_file,
    wanted_cell.line as source_line
from wanted_cell
left join parsed_body on parsed_body.file_id = wanted_cell.file_id and parsed_body.line = wanted_cell.line
left join listed_score on listed_score.file_id = wanted_cell.file_id and listed_score.line = wanted_cell.line
order by source_file, wanted_cell.path, source_line
