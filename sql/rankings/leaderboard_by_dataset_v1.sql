-- name: rankings/leaderboard_by_dataset_v1
-- purpose: Ranks approaches on each measured dataset, base approaches and flavors apart.
-- grain: tier, dataset_id, approach
-- reads: staging.leaderboard_records
-- column: tier (varchar): base or flavors
-- column: dataset_id (varchar): the dataset
-- column: complexity_level (bigint, 1 or more): how relational it is
-- column: approach (varchar): the approach or flavor
-- column: base_family (varchar): the base approach behind it
-- column: maturity (varchar): canonical or experimental
-- column: judge_rank (bigint, 1 or more): 1 + number of approaches with a better judge mean on the dataset
-- column: judge_mean (double, 1..5): mean of the judged questions
-- column: judge_evaluated (bigint, questions): questions with a judge mean
-- column: judge_total (bigint, questions): all questions put to the judges
-- column: judge_errors (bigint, verdicts): failed verdicts of the dataset's whole panel
-- column: judge_disagreement (double, 0..4): mean difference between two judges on one answer
-- column: judge_disagreement_evaluated (bigint, pairs): pairs of scores behind it
-- column: query_wins (bigint, questions): questions won
-- column: answer_relevancy_rank (bigint, 1 or more): rank by mean answer relevancy on the dataset
-- column: answer_relevancy_mean (double): mean answer relevancy, six decimals
-- column: answer_relevancy_evaluated (bigint, rows): rows with a score of answer relevancy
-- column: answer_relevancy_total (bigint, rows): all rows
-- column: answer_relevancy_not_evaluable (bigint, rows): rows that answer relevancy cannot apply to
-- column: answer_relevancy_errors (bigint, rows): rows that failed, or whose score failed
-- column: answer_relevancy_timeouts (bigint, rows): rows that ran out of time, or whose score did
-- column: answer_relevancy_coverage (double, 0..1): scores per row
-- column: faithfulness_rank (bigint, 1 or more): rank by mean faithfulness on the dataset
-- column: faithfulness_mean (double): mean faithfulness, six decimals
-- column: faithfulness_evaluated (bigint, rows): rows with a score of faithfulness
-- column: faithfulness_total (bigint, rows): all rows
-- column: faithfulness_not_evaluable (bigint, rows): rows that faithfulness cannot apply to
-- column: faithfulness_errors (bigint, rows): rows that failed, or whose score failed
-- column: faithfulness_timeouts (bigint, rows): rows that ran out of time, or whose score did
-- column: faithfulness_coverage (double, 0..1): scores per row
-- column: latency_rank (bigint, 1 or more): rank by mean latency on the dataset, fastest first
-- column: mean_latency_ms (double, ms): mean latency of the successful rows
-- column: successful (bigint, rows): rows with an answer
-- column: attempted (bigint, rows): all rows
-- column: error_rate (double, 0..1): failed and timed out rows per row
-- column: errors (bigint, rows): rows that failed
-- column: timeouts (bigint, rows): rows that ran out of time
-- order: tier, complexity_level, dataset_id, judge_rank, approach
-- nulls: means and ranks are null when nothing was measured
-- since: 0.1.0
select
    record.tier,
    record.dataset_id,
    record.complexity_level,
    record.approach,
    record.base_family,
    record.maturity,
    record.judge_rank,
    record.judge_mean,
    record.judge_evaluated,
    record.judge_total,
    record.judge_errors,
    record.judge_disagreement,
    record.judge_disagreement_evaluated,
    record.query_wins,
    record.answer_relevancy_rank,
    record.answer_relevancy_mean,
    record.answer_relevancy_evaluated,
    record.answer_relevancy_total,
    record.answer_relevancy_not_evaluable,
    record.answer_relevancy_errors,
    record.answer_relevancy_timeouts,
    record.answer_relevancy_coverage,
    record.faithfulness_rank,
    record.faithfulness_mean,
    record.faithfulness_evaluated,
    record.faithfulness_total,
    record.faithfulness_not_evaluable,
    record.faithfulness_errors,
    record.faithfulness_timeouts,
    record.faithfulness_coverage,
    record.latency_rank,
    record.mean_latency_ms,
    record.successful,
    record.attempted,
    record.error_rate,
    record.errors,
    record.timeouts
from staging.leaderboard_records as record
order by record.tier, record.complexity_level, record.dataset_id, record.judge_rank nulls last, record.approach
