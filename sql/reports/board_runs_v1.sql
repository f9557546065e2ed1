-- name: reports/board_runs_v1
-- purpose: Says what each run asked of whom, with which models, and how much of it was answered.
-- grain: run_id, dataset_id
-- reads: cells
-- param: run_id (varchar, default null): only this run; null takes all
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: complexity_level (bigint, 1 or more): how relational it is
-- column: questions_n (bigint, questions): questions asked
-- column: approaches_n (bigint, approaches): approaches and flavors asked
-- column: cells_n (bigint, rows): cells
-- column: ok_n (bigint, rows): cells with an answer
-- column: ok_text (varchar): the same as a share, 100 % only when it is so
-- column: errors_n (bigint, rows): cells that failed
-- column: timeouts_n (bigint, rows): cells that ran out of time
-- column: providers (varchar): kinds of gateway that answered
-- column: evaluators (varchar): models that scored
-- column: embeddings (varchar): models that embedded for the scores
-- column: seeds (varchar): seeds of the run
-- column: is_builtin (boolean): whether a model built into the program scored
-- order: run_id, complexity_level, dataset_id
-- nulls: providers, evaluators, embeddings and seeds are null when no row says them
-- since: 0.1.0
select
    cells.run_id,
    cells.dataset_id,
    min(cells.complexity_level) as complexity_level,
    count(distinct cells.question_id) as questions_n,
    count(distinct cells.approach) as approaches_n,
    count(*) as cells_n,
    count(*) filter (where cells.status = 'ok') as ok_n,
    share_text(count(*) filter (where cells.status = 'ok'), count(*)) as ok_text,
    count(*) filter (where cells.status = 'error') as errors_n,
    count(*) filter (where cells.status = 'timeout') as timeouts_n,
    string_agg(distinct cells.provider, ', ' order by cells.provider) as providers,
    string_agg(distinct cells.evaluator_model, ', ' order by cells.evaluator_model) as evaluators,
    string_agg(distinct cells.embeddings_model, ', ' order by cells.embeddings_model) as embeddings,
    string_agg(distinct cells.seed, ', ' order by cells.seed) as seeds,
    coalesce(bool_or(cells.evaluator_model like 'builtin/%'), false) as is_builtin
from cells
where $run_id is null or cells.run_id = $run_id
group by cells.run_id, cells.dataset_id
order by cells.run_id, complexity_level, cells.dataset_id
