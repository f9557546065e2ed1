-- name: reports/question_winners_v1
-- purpose: Names the winner of each judged question: the one the judgments name, else the best by mean, and the top
--   three means.
-- grain: tier, dataset_id, position
-- reads: site.dataset, site.panel_question, site.panel_mean
-- column: tier (varchar): base or flavors
-- column: dataset_id (varchar): the dataset
-- column: complexity_level (bigint, 1 or more): how relational it is
-- column: position (bigint, 1 or more): place in the judgments
-- column: question_id (varchar): the question
-- column: winner (varchar): who won it
-- column: top_means (varchar): up to three best means, best first
-- order: tier, complexity_level, dataset_id, position
-- nulls: winner and top_means are null when no answer was scored
-- since: 0.1.0
with
placed as (
    select
        mean.tier,
        mean.dataset_id,
        mean.position,
        mean.approach,
        mean.mean,
        row_number() over (
            partition by mean.tier, mean.dataset_id, mean.position order by mean.mean desc, mean.approach
        ) as place
    from site.panel_mean as mean
),
top as (
    select
        placed.tier,
        placed.dataset_id,
        placed.position,
        max(case when placed.place = 1 then placed.approach end) as best_approach,
        string_agg(concat(placed.approach, ' ', fixed2(placed.mean)), ', ' order by placed.place) as top_means
    from placed
    where placed.place <= 3
    group by placed.tier, placed.dataset_id, placed.position
)
select
    question.tier,
    question.dataset_id,
    dataset.complexity_level,
    question.position,
    question.question_id,
    coalesce(question.observed_winner, top.best_approach) as winner,
    top.top_means
from site.panel_question as question
inner join site.dataset as dataset on dataset.dataset_id = question.dataset_id and dataset.status = 'measured'
left join top
    on top.tier = question.tier and top.dataset_id = question.dataset_id and top.position = question.position
order by question.tier, dataset.complexity_level, question.dataset_id, question.position
