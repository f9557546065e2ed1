-- name: staging/judge_scores_v1
-- purpose: Creates the view `judge_scores`: what each judge said about each answer.
-- grain: source_file, question_id, approach, judge
-- reads: store.judge_verdict, store.judgment, store.file
-- order: none
-- nulls: run_id is null when the judgments do not say it; score is null unless the state is scored
-- since: 0.1.0
create or replace view judge_scores as
select
    judgment.run_id,
    judgment.dataset_id,
    verdict.question_id,
    verdict.approach,
    verdict.judge,
    verdict.score,
    verdict.is_best,
    verdict.state,
    verdict.reason,
    file.path as source_file
from store.judge_verdict as verdict
inner join store.judgment as judgment on judgment.file_id = verdict.file_id
inner join store.file as file on file.file_id = verdict.file_id;

comment on view judge_scores is 'One judge''s verdict on one answer.';
comment on column judge_scores.run_id is 'The run that was judged; null when the judgments do not say it.';
comment on column judge_scores.dataset_id is 'The dataset that was judged.';
comment on column judge_scores.question_id is 'The question.';
comment on column judge_scores.approach is 'Whose answer; null when the judge gave no usable verdict on the question at all.';
comment on column judge_scores.judge is 'The judge model.';
comment on column judge_scores.score is '1 (useless) to 5 (on point); null unless the state is `scored`.';
comment on column judge_scores.is_best is 'Whether the judge named this answer the best; null when it gave no verdict.';
comment on column judge_scores.state is '`scored`, `not_evaluable`, `error`, `timeout` or `not_run`.';
comment on column judge_scores.reason is 'The judge''s sentence, or why there is no score.';
comment on column judge_scores.source_file is 'The judgments file.';
