-- name: staging/leaderboard_judges_v1
-- purpose: Creates the view `staging.leaderboard_judges`: what each judge thought of an approach on one measured
--   dataset.
-- grain: tier, dataset_id, approach, judge
-- reads: site.dataset, site.evaluation_approach, site.panel_judge, site.panel_score
-- order: none
-- nulls: mean is null when the judge scored no answer of the approach
-- since: 0.1.0
create or replace view staging.leaderboard_judges as
select
    record.tier,
    record.dataset_id,
    record.approach,
    panel_judge.judge,
    count(score.score) as evaluated,
    r6(exact_mean(score.score)) as mean
from site.evaluation_approach as record
inner join site.dataset as dataset on dataset.dataset_id = record.dataset_id and dataset.status = 'measured'
inner join site.panel_judge as panel_judge
    on panel_judge.tier = record.tier and panel_judge.dataset_id = record.dataset_id
left join site.panel_score as score
    on score.tier = record.tier
    and score.dataset_id = record.dataset_id
    and score.approach = record.approach
    and score.judge = panel_judge.judge
group by record.tier, record.dataset_id, record.approach, panel_judge.judge;
