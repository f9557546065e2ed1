-- name: reports/gate_metrics_v1
-- purpose: Lists the metrics that a gate can check, with the ranges that its numbers have to fit.
-- grain: metric
-- reads: metric_cards
-- column: metric (varchar): the metric
-- column: low (double): lowest value
-- column: high (double): highest value
-- column: better (varchar): higher or lower
-- order: metric
-- nulls: high is null without a limit
-- since: 0.1.0
select metric_cards.metric, metric_cards.low, metric_cards.high, metric_cards.better
from metric_cards
order by metric_cards.metric
