-- name: staging/metric_cards_v1
-- purpose: Creates the view `metric_cards`: the range and the better direction of each metric, without which nothing can
--   be said about missing scores (statistics contract, section 0). A project adds a metric by replacing this file.
-- grain: metric
-- reads: none
-- order: none
-- nulls: high is null when there is no upper limit
-- since: 0.1.0
create or replace view metric_cards as
select
    card.metric,
    cast(card.low as double) as low,
    cast(card.high as double) as high,
    card.better,
    cast(card.quantum as double) as quantum,
    card.scale,
    card.needs_reference,
    card.needs_contexts,
    card.place_n
from (
    values
        ('faithfulness', 0, 1, 'higher', 1e-6, 'raw', false, true, 2),
        ('context_precision', 0, 1, 'higher', 1e-6, 'raw', true, true, 4),
        ('context_recall', 0, 1, 'higher', 1e-6, 'raw', true, true, 5),
        ('answer_relevancy', -1, 1, 'higher', 1e-6, 'raw', false, false, 3),
        ('judge_score', 1, 5, 'higher', 1e-6, 'raw', false, false, 9),
        ('judge_mean', 1, 5, 'higher', 1e-6, 'raw', false, false, 1),
        ('recall_at_5', 0, 1, 'higher', 1e-6, 'raw', false, true, 6),
        ('ndcg_at_5', 0, 1, 'higher', 1e-6, 'raw', false, true, 7),
        ('mrr', 0, 1, 'higher', 1e-6, 'raw', false, true, 8),
        ('ok', 0, 1, 'higher', 1, 'raw', false, false, 20),
        ('latency_ms', 0, null, 'lower', 1e-6, 'log', false, false, 21)
) as card (metric, low, high, better, quantum, scale, needs_reference, needs_contexts, place_n);

comment on view metric_cards is 'The range and the better direction of one metric.';
comment on column metric_cards.metric is 'The metric.';
comment on column metric_cards.low is 'The lowest value it can take.';
comment on column metric_cards.high is 'The highest value it can take; null when there is no limit.';
comment on column metric_cards.better is '`higher` or `lower`.';
comment on column metric_cards.quantum is 'Step to which values are rounded for inference, on the scale of comparison.';
comment on column metric_cards.scale is 'What is compared: `raw` values, or their natural `log`.';
comment on column metric_cards.needs_reference is 'Whether it needs a reference answer.';
comment on column metric_cards.needs_contexts is 'Whether it needs the retrieved sources.';
comment on column metric_cards.place_n is 'Place in lists of metrics, from 1; a dataset is read by the first one it has scores for.';
