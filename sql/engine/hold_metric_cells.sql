-- name: engine/hold_metric_cells
-- purpose: Works the view `metric_cells` out once for a page whose statements all read it. The table goes with the
--   connection and hides the view, so the statements are the same with and without it.
-- grain: none
-- reads: metric_cells
-- order: none
-- nulls: those of the view
-- since: 0.1.0
create temporary table metric_cells as
select *
from metric_cells;
