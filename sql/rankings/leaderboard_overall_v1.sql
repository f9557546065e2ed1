-- name: rankings/leaderboard_overall_v1
-- purpose: Ranks approaches over all measured datasets, base approaches and flavors apart.
-- grain: tier, approach
-- reads: staging.leaderboard_overall
-- column: tier (varchar): base or flavors
-- column: overall_rank (bigint, 1 or more): 1 + number of approaches with a better macro mean
-- column: approach (varchar): the approach or flavor
-- column: base_family (varchar): the base approach behind it
-- column: maturity (varchar): canonical or experimental
-- column: datasets_n (bigint, datasets): measured datasets it occurs in
-- column: judge_macro_mean (double, 1..5): plain mean of the dataset judge means
-- column: judge_weighted_mean (double, 1..5): mean of the dataset judge means, weighted by judged questions
-- column: judge_evaluated (bigint, questions): questions with a judge mean
-- column: judge_total (bigint, questions): all questions put to the judges
-- column: judge_errors (bigint, verdicts): failed verdicts of the whole panels
-- column: judge_disagreement (double, 0..4): mean difference between two judges on one answer
-- column: judge_disagreement_evaluated (bigint, pairs): pairs of scores behind it
-- column: mean_dataset_rank (double, 1 or more): mean of the dataset ranks
-- column: best_dataset_rank (bigint, 1 or more): lowest of them
-- column: worst_dataset_rank (bigint, 1 or more): highest of them
-- column: query_wins (bigint, questions): questions won
-- column: answer_relevancy_mean (double): mean answer relevancy, six decimals
-- column: answer_relevancy_evaluated (bigint, rows): rows with a score of answer relevancy
-- column: answer_relevancy_total (bigint, rows): all rows
-- column: answer_relevancy_not_evaluable (bigint, rows): rows that answer relevancy cannot apply to
-- column: answer_relevancy_errors (bigint, rows): rows that failed, or whose score failed
-- column: answer_relevancy_timeouts (bigint, rows): rows that ran out of time, or whose score did
-- column: faithfulness_mean (double): mean faithfulness, six decimals
-- column: faithfulness_evaluated (bigint, rows): rows with a score of faithfulness
-- column: faithfulness_total (bigint, rows): all rows
-- column: faithfulness_not_evaluable (bigint, rows): rows that faithfulness cannot apply to
-- column: faithfulness_errors (bigint, rows): rows that failed, or whose score failed
-- column: faithfulness_timeouts (bigint, rows): rows that ran out of time, or whose score did
-- column: mean_latency_ms (double, ms): mean latency of the successful rows
-- column: successful (bigint, rows): rows with an answer
-- column: attempted (bigint, rows): all rows
-- column: error_rate (double, 0..1): failed and timed out rows per row
-- column: errors (bigint, rows): rows that failed
-- column: timeouts (bigint, rows): rows that ran out of time
-- order: tier, overall_rank, approach
-- nulls: means and ranks are null when nothing was measured
-- since: 0.1.0
select
    overall.tier,
    overall.overall_rank,
    overall.approach,
    overall.base_family,
    overall.maturity,
    overall.datasets_n,
    overall.judge_macro_mean,
    overall.judge_weighted_mean,
    overall.judge_evaluated,
    overall.judge_total,
    overall.judge_errors,
    overall.judge_disagreement,
    overall.judge_disagreement_evaluated,
    overall.mean_dataset_rank,
    overall.best_dataset_rank,
    overall.worst_dataset_rank,
    overall.query_wins,
    overall.answer_relevancy_mean,
    overall.answer_relevancy_evaluated,
    overall.answer_relevancy_total,
    overall.answer_relevancy_not_evaluable,
    overall.answer_relevancy_errors,
    overall.answer_relevancy_timeouts,
    overall.faithfulness_mean,
    overall.faithfulness_evaluated,
    overall.faithfulness_total,
    overall.faithfulness_not_evaluable,
    overall.faithfulness_errors,
    overall.faithfulness_timeouts,
    overall.mean_latency_ms,
    overall.successful,
    overall.attempted,
    overall.error_rate,
    overall.errors,
    overall.timeouts
from staging.leaderboard_overall as overall
order by overall.tier, overall.overall_rank nulls last, overall.approach
