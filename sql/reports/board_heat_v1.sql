-- name: reports/board_heat_v1
-- purpose: Lays the questions that a page shows against the approaches, by the first metric of their dataset.
-- grain: tier, run_id, dataset_id, question_id, approach
-- reads: metric_cells, metric_cards, staging.approach_tiers, staging.board_questions
-- param: run_id (varchar, default null): only this run; null takes all
-- column: panel_key (varchar): equal for rows of one field
-- column: tier (varchar): base or flavors
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: complexity_level (bigint, 1 or more): how relational it is
-- column: metric (varchar): the metric
-- column: shown_n (bigint, questions): questions shown
-- column: asked_n (bigint, questions): questions asked
-- column: row_name (varchar): the question
-- column: row_anchor (varchar): place of the question on the page
-- column: column_name (varchar): the approach
-- column: score (double): its score
-- column: share (double, 0..1): the score within the range of the metric, 1 is best
-- column: value_text (varchar): the score
-- column: reason (varchar): why there is none
-- order: tier, complexity_level, dataset_id, run_id, row_name, column_name
-- nulls: score, share and value_text are null when there is no score; reason is null when there is one
-- since: 0.1.0
with
scoped as (
    select
        approach_tiers.tier,
        metric_cells.*,
        questions.anchor,
        questions.asked_n,
        card.low,
        card.high,
        card.place_n as metric_n
    from metric_cells
    inner join metric_cards as card
        on card.metric = metric_cells.metric and card.better = 'higher' and card.high is not null
    inner join staging.approach_tiers
        on approach_tiers.run_id = metric_cells.run_id
        and approach_tiers.dataset_id = metric_cells.dataset_id
        and approach_tiers.approach = metric_cells.approach
    inner join staging.board_questions as questions
        on questions.run_id = metric_cells.run_id
        and questions.dataset_id = metric_cells.dataset_id
        and questions.question_id = metric_cells.question_id
    where $run_id is null or metric_cells.run_id = $run_id
),
chosen as (
    select
        scored.tier,
        scored.run_id,
        scored.dataset_id,
        scored.metric
    from (
        select
            scoped.tier,
            scoped.run_id,
            scoped.dataset_id,
            scoped.metric,
            row_number() over (
                partition by scoped.tier, scoped.run_id, scoped.dataset_id order by min(scoped.metric_n), scoped.metric
            ) as place_n
        from scoped
        where scoped.score is not null and scoped.is_applicable
        group by scoped.tier, scoped.run_id, scoped.dataset_id, scoped.metric
    ) as scored
    where scored.place_n = 1
)
select
    concat(scoped.tier, chr(31), scoped.run_id, chr(31), scoped.dataset_id) as panel_key,
    scoped.tier,
    scoped.run_id,
    scoped.dataset_id,
    scoped.complexity_level,
    scoped.metric,
    count(*) over (partition by scoped.tier, scoped.run_id, scoped.dataset_id, scoped.approach) as shown_n,
    scoped.asked_n,
    scoped.question_id as row_name,
    scoped.anchor as row_anchor,
    scoped.approach as column_name,
    scoped.score,
    (scoped.score - scoped.low) / (scoped.high - scoped.low) as share,
    fixed2(scoped.score) as value_text,
    case when scoped.score is null then coalesce(preview(scoped.reason, 200), 'no score') end as reason
from scoped
inner join chosen
    on chosen.tier = scoped.tier
    and chosen.run_id = scoped.run_id
    and chosen.dataset_id = scoped.dataset_id
    and chosen.metric = scoped.metric
order by
    scoped.tier, scoped.complexity_level, scoped.dataset_id, scoped.run_id, scoped.question_id, scoped.approach
