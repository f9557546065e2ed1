-- name: staging/approach_tiers_v1
-- purpose: Creates the view `staging.approach_tiers`: which approaches of a dataset are ranked together. A flavor has had its
--   parameters chosen and a base approach has not, so they never share a ranking.
-- grain: run_id, dataset_id, approach
-- reads: cells
-- order: none
-- nulls: never
-- since: 0.1.0
create or replace view staging.approach_tiers as
select
    cells.run_id,
    cells.dataset_id,
    cells.approach,
    case when min(coalesce(cells.base_approach, cells.approach)) = cells.approach then 'base' else 'flavors' end as tier,
    count(*) as cells_n
from cells
group by cells.run_id, cells.dataset_id, cells.approach;
