-- name: metrics/judgments_join_v1
-- purpose: Decides whether a judgments file can be joined to the rows, and to which dataset (evaluation contract 6.5).
--   The tests stand in the order of the contract; the first that applies decides.
-- grain: one row, whether or not there are judgments
-- reads: cells, store.judgment, store.judge_mean, store.file
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- param: judgments_file (varchar, default null): the judgments; null when none were supplied
-- column: status (varchar): ok, error, disabled or not_supplied
-- column: error (varchar): why the judgments cannot be used
-- column: dataset_id (varchar): the dataset the scores belong to
-- order: none
-- nulls: error is null unless the status is error, and null then too when the file merely holds no score; dataset_id is
--   null unless the status is ok
-- since: 0.1.0
with
dataset_in_scope as (
    select distinct cells.dataset_id
    from cells
    where $source_file is null or cells.source_file = $source_file
),
dataset_summary as (
    select count(*) as datasets_n, min(dataset_id) as only_dataset_id
    from dataset_in_scope
),
supplied as (
    select
        judgment.file_id,
        judgment.status,
        judgment.error_text,
        judgment.read_problem,
        judgment.queries_problem,
        judgment.dataset_given,
        case
            when judgment.dataset_given then judgment.dataset_id
            when dataset_summary.datasets_n = 1 then dataset_summary.only_dataset_id
        end as dataset_id,
        dataset_summary.datasets_n
    from store.judgment as judgment
    inner join store.file as file on file.file_id = judgment.file_id
    cross join dataset_summary
    where file.path = $judgments_file
),
mean_count as (
    select judge_mean.file_id, count(*) as means_n
    from store.judge_mean as judge_mean
    group by judge_mean.file_id
),
judged as (
    select
        supplied.*,
        dataset_in_scope.dataset_id is not null as dataset_is_known,
        coalesce(mean_count.means_n, 0) as means_n
    from supplied
    left join dataset_in_scope on dataset_in_scope.dataset_id = supplied.dataset_id
    left join mean_count on mean_count.file_id = supplied.file_id
),
decided as (
    select
        case
            when judged.read_problem is not null then 'error'
            when judged.status = 'error' then 'error'
            when judged.status = 'disabled' then 'disabled'
            when not judged.dataset_is_known then 'error'
            when judged.queries_problem is not null then 'error'
            when judged.means_n = 0 then 'error'
            else 'ok'
        end as status,
        case
            when judged.read_problem is not null then judged.read_problem
            when judged.status = 'error' then coalesce(judged.error_text, 'the judge panel reported an error')
            when judged.status = 'disabled' then null
            when judged.dataset_is_known then judged.queries_problem
            when judged.dataset_given then 'the judgments belong to a dataset that no row has'
            else 'the judgments name no dataset, and the rows have several'
        end as error,
        judged.dataset_id
    from judged
)
select
    coalesce(decided.status, 'not_supplied') as status,
    decided.error,
    case when decided.status = 'ok' then decided.dataset_id end as dataset_id
from dataset_summary
left join decided on true
