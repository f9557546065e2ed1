-- name: reports/run_differences_v1
-- purpose: Lists what differs between two runs of the same datasets: the instrument, which has to be the same for their
--   means to be comparable, the seed, and the system, which the comparison may be about.
-- grain: dataset_id, mark
-- reads: staging.run_mark_pairs
-- param: baseline_run_id (varchar, required): the earlier run
-- param: candidate_run_id (varchar, required): the run that is held against it
-- param: dataset_id (varchar, default null): only this dataset; null takes all that both runs asked about
-- column: dataset_id (varchar): the dataset
-- column: kind (varchar): instrument, seed, system, or not_measured for what one of the runs did not measure at all
-- column: mark (varchar): what differs
-- column: baseline (varchar): what the earlier run says
-- column: candidate (varchar): what the later one says
-- order: dataset_id, kind, mark
-- nulls: a value is null when the run does not say
-- since: 0.1.0
select dataset_id, kind, mark, baseline, candidate
from staging.run_mark_pairs
where
    baseline_run_id = $baseline_run_id
    and candidate_run_id = $candidate_run_id
    and ($dataset_id is null or dataset_id = $dataset_id)
    and differs
order by dataset_id, kind, mark
