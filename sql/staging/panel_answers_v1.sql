-- name: staging/panel_answers_v1
-- purpose: Creates the view `panel_answers`: every judge on every answer it should have scored, from verdict sidecars and
--   from judgment files alike; planted answers are left out. A judge asked twice about an answer counts once, by its mean.
-- grain: source_file, question_id, approach, judge
-- reads: verdict_scores, judge_scores
-- order: none
-- nulls: score and steps_n are null when there is a reason; position is null when the file does not tell the order
-- since: 0.1.0
create or replace view panel_answers as
with
given as (
    select
        source_file,
        run_id,
        dataset_id,
        question_id,
        approach,
        judge,
        avg(cast(score as decimal(18, 6))) as score,
        min(position) filter (where direction = 'forward') as position,
        max(characters_n) as characters_n,
        min(reason) as reason
    from verdict_scores
    where is_current and not is_planted and direction <> 'canary'
    group by source_file, run_id, dataset_id, question_id, approach, judge
    union all
    select
        source_file, run_id, dataset_id, question_id, approach, judge,
        avg(cast(score as decimal(18, 6))), cast(null as integer), cast(null as bigint),
        min(case when score is null then reason end)
    from judge_scores
    group by source_file, run_id, dataset_id, question_id, approach, judge
),
answer as (
    select distinct source_file, question_id, approach
    from given
    where approach is not null
),
asked as (
    select distinct source_file, judge
    from given
),
origin as (
    select source_file, min(run_id) as run_id, min(dataset_id) as dataset_id
    from given
    group by source_file
)
select
    answer.source_file,
    origin.run_id,
    origin.dataset_id,
    answer.question_id,
    answer.approach,
    asked.judge,
    given.score,
    cast(floor(given.score * 1e6 + 0.5) as bigint) as steps_n,
    given.position,
    given.characters_n,
    case when given.score is null then coalesce(given.reason, whole.reason, 'not_asked') end as reason
from answer
inner join asked on asked.source_file = answer.source_file
inner join origin on origin.source_file = answer.source_file
left join given
    on given.source_file = answer.source_file
    and given.question_id = answer.question_id
    and given.approach = answer.approach
    and given.judge = asked.judge
left join given as whole
    on whole.source_file = answer.source_file
    and whole.question_id = answer.question_id
    and whole.approach is null
    and whole.judge = asked.judge;

comment on view panel_answers is 'One judge on one answer; the rows that audits of the panel rest on.';
comment on column panel_answers.source_file is 'The verdict sidecar or the judgments file; one panel each.';
comment on column panel_answers.run_id is 'The run that was judged; null when the file does not say it.';
comment on column panel_answers.dataset_id is 'The dataset that was judged; null when the file does not say it.';
comment on column panel_answers.question_id is 'The question.';
comment on column panel_answers.approach is 'Whose answer; never a planted one.';
comment on column panel_answers.judge is 'The judge model.';
comment on column panel_answers.score is '1 to 5, the mean when the judge was asked in both orders; null when there is a reason.';
comment on column panel_answers.steps_n is 'The score in millionths, a whole number; sums of it are exact.';
comment on column panel_answers.position is 'Place in the prompt, from 1; null when the file does not tell.';
comment on column panel_answers.characters_n is 'Characters of the answer before any cut; null when it is not in this database.';
comment on column panel_answers.reason is 'Why there is no score; null when there is one.';
