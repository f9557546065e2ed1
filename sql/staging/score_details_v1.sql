-- name: staging/score_details_v1
-- purpose: Creates the view `score_details`: what a score rests on, as the evaluator told it: statements with verdicts,
--   generated questions, contexts with verdicts, and what went wrong when there is no score.
-- grain: row_id, metric, kind, position
-- reads: store.body
-- order: none
-- nulls: columns that a kind does not have are null; rows of evaluators that tell nothing are not there
-- since: 0.1.0
create or replace view score_details as
with
metric_name as (
    select body.row_id, body.body, unnest(json_keys(body.body, '/metrics/ragas/details')) as metric
    from store.body as body
),
metric_detail as (
    select
        metric_name.row_id,
        metric_name.metric,
        json_extract(
            metric_name.body,
            concat('/metrics/ragas/details/', replace(replace(metric_name.metric, '~', '~0'), '/', '~1'))
        ) as detail
    from metric_name
),
kind_name as (
    select unnest(['statement', 'question', 'context']) as kind
),
item_list as (
    select
        metric_detail.row_id,
        metric_detail.metric,
        kind_name.kind,
        try_cast(json_extract(metric_detail.detail, concat('/', kind_name.kind, 's')) as json[]) as items
    from metric_detail
    cross join kind_name
),
item as (
    select row_id, metric, kind, unnest(items) as item, generate_subscripts(items, 1) as position
    from item_list
),
trouble as (
    select metric_detail.row_id, metric_detail.metric, kind_name.kind,
        json_extract_string(metric_detail.detail, concat('/', kind_name.kind)) as detail_text
    from metric_detail
    cross join (select unnest(['problem', 'reply']) as kind) as kind_name
)
select
    row_id,
    metric,
    kind,
    position,
    case
        when json_type(item) = 'VARCHAR' then json_extract_string(item, '$')
        else coalesce(json_extract_string(item, '$.statement'), json_extract_string(item, '$.question'))
    end as detail_text,
    try_cast(json_extract_string(item, '$.verdict') as integer) as verdict,
    json_extract_string(item, '$.reason') as reason,
    try_cast(json_extract_string(item, '$.context') as integer) as context_position,
    try_cast(json_extract_string(item, '$.noncommittal') as integer) as noncommittal,
    try_cast(json_extract_string(item, '$.cosine') as double) as cosine
from item
union all
select row_id, metric, kind, 1, detail_text, null, null, null, null, null
from trouble
where detail_text is not null;

comment on view score_details is 'What the score of a metric rests on, one statement, question, context or trouble a row.';
comment on column score_details.row_id is 'The cell; join with `cells using (row_id)`.';
comment on column score_details.metric is 'The metric.';
comment on column score_details.kind is '`statement`, `question` (generated from the answer), `context`, or, of a metric without a score, `problem` (what was wrong) and `reply` (the beginning of what the evaluator said).';
comment on column score_details.position is 'Place among its kind, from 1.';
comment on column score_details.detail_text is 'The statement, the question, the problem or the reply; null for a context.';
comment on column score_details.verdict is '1 when the statement is supported or the context useful, else 0; null when nobody judged it.';
comment on column score_details.reason is 'Why, in the evaluator''s words; null when it gave none.';
comment on column score_details.context_position is 'Which context, counted from 0 as in the request; null when the evaluator named none.';
comment on column score_details.noncommittal is '1 when the answer evades the generated question, else 0; of questions only.';
comment on column score_details.cosine is 'Cosine between the question asked and the generated one; of questions only.';
