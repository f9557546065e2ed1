-- name: staging/panel_scores_v1
-- purpose: Creates the view `staging.panel_scores`: what a panel thought of an approach on one measured dataset, from
--   the
--   judgments alone, so that old results without an evaluation can be compared too (evaluation contract 7.3).
-- grain: tier, dataset_id, approach
-- reads: site.dataset, site.panel_mean
-- order: none
-- nulls: never
-- since: 0.1.0
create or replace view staging.panel_scores as
with
scored as (
    select
        mean.tier,
        mean.dataset_id,
        dataset.complexity_level,
        dataset.position as dataset_position,
        mean.approach,
        count(*) as questions_n,
        r2(exact_mean(mean.mean)) as score
    from site.panel_mean as mean
    inner join site.dataset as dataset on dataset.dataset_id = mean.dataset_id and dataset.status = 'measured'
    group by mean.tier, mean.dataset_id, dataset.complexity_level, dataset.position, mean.approach
)
select
    scored.*,
    row_number() over (partition by scored.tier, scored.dataset_id order by scored.score desc, scored.approach) as place,
    rank() over (partition by scored.tier, scored.dataset_id order by scored.score desc) as rank,
    rank() over (partition by scored.tier, scored.dataset_id order by scored.score asc) as rank_from_last,
    count(*) over (partition by scored.tier, scored.dataset_id, scored.score) as tied_n,
    count(*) over (partition by scored.tier, scored.dataset_id) as approaches_n
from scored;
