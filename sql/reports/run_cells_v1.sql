-- name: reports/run_cells_v1
-- purpose: Lists the cells of a run by question and approach: how each ended, its scores and what the judges thought.
-- grain: page_key, dataset_id, question_id, approach
-- reads: cells, scores, judge_scores, question_pages
-- param: run_id (varchar, default null): only this run; null takes all
-- param: page_from (varchar, default null): first page wanted; null takes all
-- param: page_to (varchar, default null): last page wanted; null takes all
-- column: page_key (varchar): the page
-- column: complexity_level (bigint, 1 or more): how relational the dataset is
-- column: dataset_id (varchar): the dataset
-- column: question_id (varchar): the question
-- column: question_slug (varchar): file of the question's page
-- column: approach (varchar): the approach
-- column: status (varchar): ok, error or timeout
-- column: latency_text (varchar): wall time
-- column: scores_text (varchar): each metric with its score, or why there is none
-- column: judge_text (varchar): mean of the judges with scored / all verdicts, or why there is none
-- column: reason (varchar): why the cell failed, cut short
-- order: page_key, complexity_level, dataset_id, question_id, approach
-- nulls: latency_text, scores_text and reason are null when there is nothing to say
-- since: 0.1.0
with
score_line as (
    select
        scores.row_id,
        string_agg(
            concat(scores.metric, ' ', coalesce(fixed3(scores.score), concat('- (', scores.reason, ')'))),
            '; '
            order by scores.metric
        ) as scores_text
    from scores
    group by scores.row_id
),
judge_mean as (
    select
        judge_scores.run_id,
        judge_scores.dataset_id,
        judge_scores.question_id,
        judge_scores.approach,
        r2(exact_mean(judge_scores.score)) as mean,
        count(judge_scores.score) as scores_n,
        count(*) as verdicts_n
    from judge_scores
    group by judge_scores.run_id, judge_scores.dataset_id, judge_scores.question_id, judge_scores.approach
)
select
    cells.run_id as page_key,
    cells.complexity_level,
    cells.dataset_id,
    cells.question_id,
    pages.question_slug,
    cells.approach,
    cells.status,
    case when cells.latency_ms is not null then concat(cast(cells.latency_ms as varchar), ' ms') end as latency_text,
    score_line.scores_text,
    case
        when judge_mean.mean is not null
            then concat(
                fixed2(judge_mean.mean),
                ' (',
                cast(judge_mean.scores_n as varchar),
                '/',
                cast(judge_mean.verdicts_n + coalesce(failed.verdicts_n, 0) as varchar),
                ')'
            )
        when cells.status = 'ok' and coalesce(judge_mean.verdicts_n, failed.verdicts_n) > 0 then 'no judge scored it'
        else 'not judged'
    end as judge_text,
    case
        when cells.status <> 'ok'
            then preview(concat(coalesce(cells.error_type, 'unknown'), ': ', coalesce(cells.error_message, '')), 120)
    end as reason
from cells
inner join question_pages as pages
    on pages.run_id = cells.run_id
    and pages.dataset_id = cells.dataset_id
    and pages.question_id = cells.question_id
left join score_line on score_line.row_id = cells.row_id
left join judge_mean
    on coalesce(judge_mean.run_id, cells.run_id) = cells.run_id
    and judge_mean.dataset_id = cells.dataset_id
    and judge_mean.question_id = cells.question_id
    and judge_mean.approach = cells.approach
-- A judge without a verdict on the question has none on any of its answers.
left join judge_mean as failed
    on coalesce(failed.run_id, cells.run_id) = cells.run_id
    and failed.dataset_id = cells.dataset_id
    and failed.question_id = cells.question_id
    and failed.approach is null
where
    ($page_from is null or cells.run_id >= $page_from)
    and ($page_to is null or cells.run_id <= $page_to)
    and ($run_id is null or cells.run_id = $run_id)
order by page_key, cells.complexity_level, cells.dataset_id, cells.question_id, cells.approach, judge_text, cells.row_id
