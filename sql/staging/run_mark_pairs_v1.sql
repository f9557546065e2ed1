-- name: staging/run_mark_pairs_v1
-- purpose: Creates the view `staging.run_mark_pairs`: the marks of two runs of one dataset beside each other. Whoever reads
--   it names both runs. What one of the runs did not measure at all is no difference of the instrument: no score of the two
--   is compared there.
-- grain: baseline_run_id, candidate_run_id, dataset_id, mark
-- reads: staging.run_marks, store.cell
-- order: none
-- nulls: a value is null when the run does not say
-- since: 0.1.0
create or replace view staging.run_mark_pairs as
with
asked as (
    select distinct run_id, dataset_id from store.cell
),
pair as (
    select baseline.run_id as baseline_run_id, candidate.run_id as candidate_run_id, candidate.dataset_id
    from asked as candidate
    inner join asked as baseline
        on baseline.dataset_id = candidate.dataset_id and baseline.run_id <> candidate.run_id
),
sided as (
    select pair.*, run_marks.mark, run_marks.kind, run_marks.value as baseline, cast(null as varchar) as candidate
    from pair
    inner join staging.run_marks as run_marks
        on run_marks.run_id = pair.baseline_run_id and run_marks.dataset_id = pair.dataset_id
    union all
    select pair.*, run_marks.mark, run_marks.kind, cast(null as varchar), run_marks.value
    from pair
    inner join staging.run_marks as run_marks
        on run_marks.run_id = pair.candidate_run_id and run_marks.dataset_id = pair.dataset_id
),
beside as (
    select
        baseline_run_id, candidate_run_id, dataset_id, mark,
        min(kind) as kind, min(baseline) as baseline, min(candidate) as candidate
    from sided
    group by baseline_run_id, candidate_run_id, dataset_id, mark
),
counted as (
    select
        beside.*,
        count(*) filter (where mark = 'evaluator' and baseline is not null and candidate is not null)
            over (partition by baseline_run_id, candidate_run_id, dataset_id) as evaluators_n
    from beside
)
select
    baseline_run_id,
    candidate_run_id,
    dataset_id,
    mark,
    case
        when mark = 'judges' and (baseline is null or candidate is null) then 'not_measured'
        when mark in ('evaluator', 'embedding', 'scorer') and evaluators_n = 0 then 'not_measured'
        else kind
    end as kind,
    baseline,
    candidate,
    baseline is distinct from candidate as differs
from counted;
