-- name: rankings/judges_v1
-- purpose: Ranks approaches by the mean of the panel's means, one per question.
-- grain: scope, dataset_id, approach
-- reads: cells, store.judge_mean, store.file
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- param: judgments_file (varchar, default null): the judgments; null when none were supplied
-- param: judged_dataset_id (varchar, default null): the dataset their scores belong to; null uses none
-- column: scope (varchar): dataset or overall
-- column: dataset_id (varchar): the dataset
-- column: rank (bigint, 1 or more): 1 + number of better approaches; equal means share it
-- column: tied_n (bigint, 1 or more): approaches that share the rank
-- column: approach (varchar): the approach
-- column: mean (double, 1..5): mean over judged questions, six decimals
-- column: evaluated (bigint, scores): judge means of the approach
-- column: total (bigint, questions): distinct questions the approach has rows for
-- column: coverage (double): judge means per question; above 1 when a question is judged twice
-- order: scope, dataset_id, rank, approach
-- nulls: dataset_id is null for the whole; rank, tied_n and mean are null when nothing was judged
-- since: 0.1.0
with
approach_question as (
    select distinct cells.dataset_id, cells.approach, cells.question_id
    from cells
    where $source_file is null or cells.source_file = $source_file
),
approach_scope as (
    select
        case when grouping(approach_question.dataset_id) = 0 then 'dataset' else 'overall' end as scope,
        approach_question.dataset_id,
        approach_question.approach,
        count(*) as total
    from approach_question
    group by grouping sets ((approach_question.dataset_id, approach_question.approach), (approach_question.approach))
),
approach_mean as (
    select
        judge_mean.approach,
        r6(exact_mean(judge_mean.mean)) as mean,
        count(*) as evaluated
    from store.judge_mean as judge_mean
    inner join store.file as file on file.file_id = judge_mean.file_id
    where file.path = $judgments_file and $judged_dataset_id is not null
    group by judge_mean.approach
),
measured as (
    select
        approach_scope.scope,
        approach_scope.dataset_id,
        approach_scope.approach,
        approach_mean.mean,
        coalesce(approach_mean.evaluated, 0) as evaluated,
        approach_scope.total
    from approach_scope
    left join approach_mean
        on approach_mean.approach = approach_scope.approach
        and (approach_scope.scope = 'overall' or approach_scope.dataset_id = $judged_dataset_id)
),
ranked as (
    select
        measured.*,
        rank() over (
            partition by measured.scope, measured.dataset_id order by measured.mean desc nulls last
        ) as place
    from measured
)
select
    ranked.scope,
    ranked.dataset_id,
    case when ranked.mean is not null then ranked.place end as rank,
    case
        when ranked.mean is not null then count(*) over (partition by ranked.scope, ranked.dataset_id, ranked.place)
    end as tied_n,
    ranked.approach,
    ranked.mean,
    ranked.evaluated,
    ranked.total,
    r6(cast(ranked.evaluated as double) / ranked.total) as coverage
from ranked
order by ranked.scope, ranked.dataset_id, rank nulls last, ranked.approach
