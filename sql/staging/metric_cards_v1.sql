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
    card.metric, cast(card.low as double) as low, cast(card.high as double) as high, card.better
from (
    values
        ('faithfulness', 0, 1, 'higher'),
        ('context_precision', 0, 1, 'higher'),
        ('context_recall', 0, 1, 'higher'),
        ('answer_relevancy', -1, 1, 'higher'),
        ('judge_score', 1, 5, 'higher'),
        ('latency_ms', 0, null, 'lower')
) as card (metric, low, high, better);

comment on view metric_cards is 'The range and the better direction of one metric.';
comment on column metric_cards.metric is 'The metric.';
comment on column metric_cards.low is 'The lowest value it can take.';
comment on column metric_cards.high is 'The highest value it can take; null when there is no limit.';
comment on column metric_cards.better is '`higher` or `lower`.';
