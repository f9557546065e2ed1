-- name: staging/run_marks_v1
-- purpose: Creates the view `staging.run_marks`: by what each run was measured, and what was measured, one mark a row, so
--   that two runs can be held against each other (statistics contract, sections 6 and 8). The instrument is what has to be
--   the same for two means to be comparable; the system is what a comparison may be about.
-- grain: run_id, dataset_id, mark
-- reads: store.cell, store.body, store.judgment, store.judge_model
-- order: none
-- nulls: never; a mark that a run does not know has no row
-- since: 0.1.0
create or replace view staging.run_marks as
with
question as (
    select distinct run_id, dataset_id, question_id, query, ground_truth
    from store.cell
),
asked as (
    select
        run_id, dataset_id,
        concat(
            count(distinct question_id), ' questions, digest ',
            left(md5(string_agg(
                concat_ws(chr(31), question_id, coalesce(query, chr(30)), coalesce(ground_truth, chr(30))), chr(29)
                order by question_id, query, ground_truth
            )), 12)
        ) as value
    from question
    group by run_id, dataset_id
),
named as (
    select distinct run_id, dataset_id, 'evaluator' as mark, evaluator_model as value
    from store.cell
    where evaluator_model is not null
    union all
    select distinct run_id, dataset_id, 'embedding', embeddings_model
    from store.cell
    where embeddings_model is not null
    union all
    select distinct run_id, dataset_id, 'metric_version', cast(runner_version as varchar)
    from store.cell
    where runner_version is not null
    union all
    select distinct run_id, dataset_id, 'seed', seed
    from store.cell
    where seed is not null
    union all
    select distinct cell.run_id, cell.dataset_id, 'judges', judge_model.judge
    from store.judgment as judgment
    inner join store.judge_model as judge_model on judge_model.file_id = judgment.file_id
    inner join (select distinct run_id, dataset_id from store.cell) as cell
        on cell.run_id = coalesce(judgment.run_id, cell.run_id)
        and cell.dataset_id = coalesce(judgment.dataset_id, cell.dataset_id)
),
-- Resume refuses other provenance within a run, so one row of each file stands for all; one that was scored, if there is.
place as (
    select
        cell.run_id, cell.dataset_id, cell.file_id, cell.line,
        row_number() over (
            partition by cell.run_id, cell.dataset_id
            order by case when cell.evaluator_model is null then 1 else 0 end, cell.row_id
        ) as number
    from store.cell as cell
),
whole as (
    select place.run_id, place.dataset_id, body.body
    from place
    inner join store.body as body on body.file_id = place.file_id and body.line = place.line
    where place.number = 1
),
-- Maps of names to words; how words are written differs between engines, see engine/duckdb.
map as (
    select run_id, dataset_id, 'file' as prefix, json_extract(body, '$.reproducibility.config_hashes') as items from whole
    union all
    select run_id, dataset_id, 'role', json_extract(body, '$.reproducibility.runtime.gateway.roles') from whole
),
member as (
    select run_id, dataset_id, prefix, items, unnest(json_names(items)) as name
    from map
),
told as (
    select
        run_id, dataset_id,
        concat(prefix, ' ', name) as mark,
        case
            when prefix = 'file' then left(json_member_text(items, name), 12)
            else coalesce(json_member_text(json_member(items, name), 'model'), json_member_text(items, name))
        end as value
    from member
    -- The hash of the questions is that of the file; the mark `questions` is about what was asked.
    where not (prefix = 'file' and name = 'dataset_questions')
    union all
    select run_id, dataset_id, 'scorer', json_extract_string(body, '$.metrics.ragas.metadata.runner') from whole
    union all
    select run_id, dataset_id, 'gateway', coalesce(
        json_extract_string(body, '$.reproducibility.runtime.gateway.url'),
        json_extract_string(body, '$.reproducibility.runtime.gateway.kind')
    ) from whole
    union all
    select run_id, dataset_id, 'documents', json_extract_string(body, '$.reproducibility.ingestion.content_digest')
    from whole
    union all
    select run_id, dataset_id, 'ingestion', json_extract_string(body, '$.reproducibility.ingestion.revision') from whole
    union all
    select run_id, dataset_id, 'program', json_extract_string(body, '$.reproducibility.runtime.ragsql.version') from whole
    union all
    select run_id, dataset_id, 'revision', json_extract_string(body, '$.reproducibility.runtime.rag_showcase.commit')
    from whole
),
every_mark as (
    select run_id, dataset_id, 'questions' as mark, value from asked
    union all
    select run_id, dataset_id, mark, string_agg(value, ', ' order by value) from named group by run_id, dataset_id, mark
    union all
    select run_id, dataset_id, mark, value from told where value is not null
)
select
    run_id,
    dataset_id,
    mark,
    case
        when mark in ('questions', 'judges', 'evaluator', 'embedding', 'metric_version', 'scorer') then 'instrument'
        when mark = 'seed' then 'seed'
        else 'system'
    end as kind,
    value
from every_mark;
