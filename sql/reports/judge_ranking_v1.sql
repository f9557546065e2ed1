-- name: reports/judge_ranking_v1
-- purpose: Ranks the approaches of each measured dataset by the judges, best first.
-- grain: tier, dataset_id, place
-- reads: staging.panel_scores
-- column: tier (varchar): base or flavors
-- column: dataset_id (varchar): the dataset
-- column: complexity_level (bigint, 1 or more): how relational it is
-- column: place (bigint, 1 or more): place in the order
-- column: rank (bigint, 1 or more): 1 + number of better approaches
-- column: approach (varchar): the approach or flavor
-- column: ties_with_next (boolean): whether the next approach has the same score
-- column: score (double, 1..5): mean of its question means, two decimals
-- column: score_text (varchar): the same as people read it
-- column: questions_n (bigint, questions): questions it was scored on
-- order: tier, complexity_level, dataset_id, place
-- nulls: never
-- since: 0.1.0
select
    scores.tier,
    scores.dataset_id,
    scores.complexity_level,
    scores.place,
    scores.rank,
    scores.approach,
    scores.place < scores.rank + scores.tied_n - 1 as ties_with_next,
    scores.score,
    fixed2(scores.score) as score_text,
    scores.questions_n
from staging.panel_scores as scores
order by scores.tier, scores.complexity_level, scores.dataset_id, scores.place
