-- name: reports/judge_state_v1
-- purpose: Counts the answers that wait for the judge panel.
-- grain: one row
-- reads: cells, judge_scores
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- param: run_id (varchar, default null): only this run; null takes all
-- param: dataset_id (varchar, default null): only this dataset; null takes all
-- column: answers_n (bigint, cells): answers the panel could judge
-- column: pending_n (bigint, cells): of these, answers without a verdict while the panel is switched on
-- column: judged_n (bigint, cells): answers with at least one score
-- order: none
-- nulls: never
-- since: 0.1.0
with
judged as (
    select distinct judge_scores.dataset_id, judge_scores.question_id, judge_scores.approach
    from judge_scores
    where
        judge_scores.state = 'scored'
        and ($run_id is null or judge_scores.run_id is null or judge_scores.run_id = $run_id)
)
select
    count(*) as answers_n,
    count(*) filter (where cells.judge_status = 'pending' and judged.approach is null) as pending_n,
    count(judged.approach) as judged_n
from cells
left join judged
    on judged.dataset_id = cells.dataset_id
    and judged.question_id = cells.question_id
    and judged.approach = cells.approach
where
    cells.status = 'ok'
    and ($source_file is null or cells.source_file = $source_file)
    and ($run_id is null or cells.run_id = $run_id)
    and ($dataset_id is null or cells.dataset_id = $dataset_id)
