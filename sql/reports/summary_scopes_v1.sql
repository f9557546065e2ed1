-- name: reports/summary_scopes_v1
-- purpose: Gives every dataset, then the whole, with its coverage by rows and by judged questions.
-- grain: scope, dataset_id
-- reads: cells, store.judge_mean, store.file
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- param: judgments_file (varchar, default null): the judgments; null when none were supplied
-- param: judged_dataset_id (varchar, default null): the dataset their scores belong to; null uses none
-- column: scope (varchar): dataset or overall
-- column: dataset_id (varchar): the dataset
-- column: label (varchar): its name as people read it
-- column: complexity_level (bigint, 1 or more): the lowest level of its rows
-- column: total_rows (bigint, rows): all rows
-- column: ok (bigint, rows): rows with an answer
-- column: errors (bigint, rows): rows that ended in an error
-- column: timeouts (bigint, rows): rows that ran out of time
-- column: total_queries (bigint, questions): distinct questions of the rows
-- column: evaluated_queries (bigint, questions): distinct questions with at least one judge mean, unknown ones included
-- order: scope, complexity_level, dataset_id
-- nulls: dataset_id, label and complexity_level are null for the whole
-- since: 0.1.0
with
scoped_cell as (
    select
        cells.dataset_id,
        cells.dataset_label,
        cells.complexity_level,
        cells.status,
        cells.question_id,
        cells.approach,
        cells.source_line
    from cells
    where $source_file is null or cells.source_file = $source_file
),
dataset_scope as (
    select
        scoped_cell.dataset_id,
        min(scoped_cell.complexity_level) as complexity_level,
        count(*) as total_rows,
        count(*) filter (where scoped_cell.status = 'ok') as ok,
        count(*) filter (where scoped_cell.status = 'error') as errors,
        count(*) filter (where scoped_cell.status = 'timeout') as timeouts,
        count(distinct scoped_cell.question_id) as total_queries
    from scoped_cell
    group by scoped_cell.dataset_id
),
label_of_row as (
    select
        scoped_cell.dataset_id,
        scoped_cell.dataset_label,
        row_number() over (
            partition by scoped_cell.dataset_id
            order by
                scoped_cell.complexity_level, scoped_cell.question_id, scoped_cell.approach,
                scoped_cell.dataset_label
        ) as place
    from scoped_cell
),
judged_question as (
    select count(distinct judge_mean.question_id) as evaluated_queries
    from store.judge_mean as judge_mean
    inner join store.file as file on file.file_id = judge_mean.file_id
    where file.path = $judgments_file and $judged_dataset_id is not null
),
every_scope as (
    select
        'dataset' as scope,
        dataset_scope.dataset_id,
        coalesce(nullif(label_of_row.dataset_label, ''), dataset_scope.dataset_id) as label,
        dataset_scope.complexity_level,
        dataset_scope.total_rows,
        dataset_scope.ok,
        dataset_scope.errors,
        dataset_scope.timeouts,
        dataset_scope.total_queries,
        case
            when dataset_scope.dataset_id = $judged_dataset_id then judged_question.evaluated_queries
            else 0
        end as evaluated_queries
    from dataset_scope
    inner join label_of_row on label_of_row.dataset_id = dataset_scope.dataset_id and label_of_row.place = 1
    cross join judged_question
    union all
    select
        'overall',
        cast(null as varchar),
        cast(null as varchar),
        cast(null as bigint),
        cast(sum(dataset_scope.total_rows) as bigint),
        cast(sum(dataset_scope.ok) as bigint),
        cast(sum(dataset_scope.errors) as bigint),
        cast(sum(dataset_scope.timeouts) as bigint),
        cast(sum(dataset_scope.total_queries) as bigint),
        min(judged_question.evaluated_queries)
    from dataset_scope
    cross join judged_question
    having count(*) > 0
)
select
    scope, dataset_id, label, complexity_level, total_rows, ok, errors, timeouts, total_queries, evaluated_queries
from every_scope
order by scope, complexity_level, dataset_id
