-- name: staging/leaderboard_records_v1
-- purpose: Creates the view `staging.leaderboard_records`: how an approach did on one measured dataset, with its ranks
--   there (evaluation contract 7.1). Ranks are 1 + number of better approaches, null for what has no value.
-- grain: tier, dataset_id, approach
-- reads: site.dataset, site.approach, site.experimental, site.evaluation_approach, site.evaluation_metric,
--   site.panel_question, site.panel_score, site.panel_failure
-- order: none
-- nulls: means and ranks are null when nothing was measured
-- since: 0.1.0
create or replace view staging.leaderboard_records as
with
failed_verdict as (
    select tier, dataset_id, count(*) as failures_n
    from site.panel_failure
    group by tier, dataset_id
),
judge_pair as (
    select
        one.tier,
        one.dataset_id,
        one.approach,
        count(*) as pairs_n,
        r6(exact_mean(abs(one.score - other.score))) as mean_difference
    from site.panel_score as one
    inner join site.panel_score as other
        on other.tier = one.tier
        and other.dataset_id = one.dataset_id
        and other.position = one.position
        and other.approach = one.approach
        and other.judge > one.judge
    group by one.tier, one.dataset_id, one.approach
),
question_win as (
    select tier, dataset_id, observed_winner as approach, count(*) as wins_n
    from site.panel_question
    where observed_winner is not null
    group by tier, dataset_id, observed_winner
),
record as (
    select
        evaluation.tier,
        evaluation.dataset_id,
        dataset.complexity_level,
        evaluation.approach,
        coalesce(approach.base_family, evaluation.approach) as base_family,
        evaluation.judge_mean,
        evaluation.judge_evaluated,
        evaluation.judge_total,
        evaluation.judge_coverage,
        coalesce(failed_verdict.failures_n, 0) as judge_errors,
        judge_pair.mean_difference as judge_disagreement,
        coalesce(judge_pair.pairs_n, 0) as judge_disagreement_evaluated,
        coalesce(question_win.wins_n, 0) as query_wins,
        relevancy.mean as answer_relevancy_mean,
        relevancy.evaluated as answer_relevancy_evaluated,
        relevancy.total as answer_relevancy_total,
        relevancy.not_evaluable as answer_relevancy_not_evaluable,
        relevancy.errors as answer_relevancy_errors,
        relevancy.timeouts as answer_relevancy_timeouts,
        relevancy.coverage as answer_relevancy_coverage,
        faithfulness.mean as faithfulness_mean,
        faithfulness.evaluated as faithfulness_evaluated,
        faithfulness.total as faithfulness_total,
        faithfulness.not_evaluable as faithfulness_not_evaluable,
        faithfulness.errors as faithfulness_errors,
        faithfulness.timeouts as faithfulness_timeouts,
        faithfulness.coverage as faithfulness_coverage,
        evaluation.mean_latency_ms,
        evaluation.successful,
        evaluation.attempted,
        evaluation.error_rate,
        evaluation.errors,
        evaluation.timeouts
    from site.evaluation_approach as evaluation
    inner join site.dataset as dataset
        on dataset.dataset_id = evaluation.dataset_id and dataset.status = 'measured'
    left join site.approach as approach
        on approach.tier = evaluation.tier and approach.approach = evaluation.approach
    left join site.evaluation_metric as relevancy
        on relevancy.tier = evaluation.tier
        and relevancy.dataset_id = evaluation.dataset_id
        and relevancy.approach = evaluation.approach
        and relevancy.metric = 'answer_relevancy'
    left join site.evaluation_metric as faithfulness
        on faithfulness.tier = evaluation.tier
        and faithfulness.dataset_id = evaluation.dataset_id
        and faithfulness.approach = evaluation.approach
        and faithfulness.metric = 'faithfulness'
    left join failed_verdict
        on failed_verdict.tier = evaluation.tier and failed_verdict.dataset_id = evaluation.dataset_id
    left join judge_pair
        on judge_pair.tier = evaluation.tier
        and judge_pair.dataset_id = evaluation.dataset_id
        and judge_pair.approach = evaluation.approach
    left join question_win
        on question_win.tier = evaluation.tier
        and question_win.dataset_id = evaluation.dataset_id
        and question_win.approach = evaluation.approach
)
select
    record.*,
    case when experimental.base_family is null then 'canonical' else 'experimental' end as maturity,
    case
        when record.judge_mean is not null
            then rank() over (partition by record.tier, record.dataset_id order by record.judge_mean desc nulls last)
    end as judge_rank,
    case
        when record.answer_relevancy_mean is not null
            then rank() over (
                partition by record.tier, record.dataset_id order by record.answer_relevancy_mean desc nulls last
            )
    end as answer_relevancy_rank,
    case
        when record.faithfulness_mean is not null
            then rank() over (
                partition by record.tier, record.dataset_id order by record.faithfulness_mean desc nulls last
            )
    end as faithfulness_rank,
    case
        when record.mean_latency_ms is not null
            then rank() over (
                partition by record.tier, record.dataset_id order by record.mean_latency_ms asc nulls last
            )
    end as latency_rank
from record
left join (select distinct base_family from site.experimental) as experimental
    on experimental.base_family = record.base_family;
