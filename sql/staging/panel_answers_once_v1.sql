-- name: staging/panel_answers_once_v1
-- purpose: Creates the view `staging.panel_answers_once`: every judge on every answer of every run. The sidecar and the
--   judgments file of a run tell the same verdicts; each counts once.
-- grain: run_id, dataset_id, question_id, approach, judge
-- reads: panel_answers
-- order: none
-- nulls: dataset_id is null when no file says it; score is null when the judge gave none; run_id is empty when no file says it
-- since: 0.1.0
create or replace view staging.panel_answers_once as
with
told as (
    select
        panel_answers.dataset_id,
        panel_answers.question_id,
        panel_answers.approach,
        panel_answers.judge,
        panel_answers.score,
        panel_answers.source_file,
        coalesce(
            panel_answers.run_id,
            max(panel_answers.run_id) over (
                partition by panel_answers.dataset_id, panel_answers.question_id, panel_answers.approach, panel_answers.judge
            ),
            ''
        ) as run_id
    from panel_answers
),
placed as (
    select
        told.*,
        row_number() over (
            partition by told.run_id, told.dataset_id, told.question_id, told.approach, told.judge
            order by told.score nulls last, told.source_file
        ) as place_n
    from told
)
select placed.run_id, placed.dataset_id, placed.question_id, placed.approach, placed.judge, placed.score
from placed
where placed.place_n = 1;
