-- name: reports/run_differences_v1
-- purpose: Lists what differs between two runs of the same datasets: the instrument, which has to be the same for their
--   means to be comparable, the seed, and the system, which the comparison may be about.
-- grain: dataset_id, mark
-- reads: staging.run_marks
-- param: baseline_run_id (varchar, required): the earlier run
-- param: candidate_run_id (varchar, required): the run that is held against it
-- param: dataset_id (varchar, default null): only this dataset; null takes all that both runs asked about
-- column: dataset_id (varchar): the dataset
-- column: kind (varchar): instrument, seed or system
-- column: mark (varchar): what differs
-- column: baseline (varchar): what the earlier run says
-- column: candidate (varchar): what the later one says
-- order: dataset_id, kind, mark
-- nulls: a value is null when the run does not say
-- since: 0.1.0
with
baseline as (
    select * from staging.run_marks where run_id = $baseline_run_id
),
candidate as (
    select * from staging.run_marks where run_id = $candidate_run_id
),
shared_dataset as (
    select distinct baseline.dataset_id
    from baseline
    inner join candidate on candidate.dataset_id = baseline.dataset_id
    where $dataset_id is null or baseline.dataset_id = $dataset_id
),
beside as (
    select
        coalesce(baseline.dataset_id, candidate.dataset_id) as dataset_id,
        coalesce(baseline.kind, candidate.kind) as kind,
        coalesce(baseline.mark, candidate.mark) as mark,
        baseline.value as baseline,
        candidate.value as candidate
    from baseline
    full outer join candidate on candidate.dataset_id = baseline.dataset_id and candidate.mark = baseline.mark
)
select beside.dataset_id, beside.kind, beside.mark, beside.baseline, beside.candidate
from beside
inner join shared_dataset on shared_dataset.dataset_id = beside.dataset_id
where beside.baseline is distinct from beside.candidate
order by beside.dataset_id, beside.kind, beside.mark
