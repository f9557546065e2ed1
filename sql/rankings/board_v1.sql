-- name: rankings/board_v1
-- purpose: Places every approach in every metric of every dataset, base approaches and flavors apart, and says what the
--   missing scores leave open: bounds of the mean and the range of ranks (statistics contract, section 1). Ranks compare
--   unrounded means; a mean over the questions that all have a score for stands beside each.
-- grain: tier, metric, run_id, dataset_id, approach
-- reads: metric_cells, metric_cards, staging.approach_tiers
-- param: run_id (varchar, default null): only this run; null takes all, each on its own
-- column: line_key (varchar): equal for rows of one tier and metric
-- column: panel_key (varchar): equal for rows that are compared with each other
-- column: tier (varchar): base or flavors
-- column: metric (varchar): the metric
-- column: better (varchar): higher or lower
-- column: low (double): lowest value of the metric
-- column: high (double): highest value of the metric
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: complexity_level (bigint, 1 or more): how relational it is
-- column: step_n (bigint, 1 or more): place of the dataset among all, by level
-- column: step_text (varchar): level and dataset
-- column: is_line (boolean): whether the run is the largest of its dataset, the one that progression follows
-- column: is_progression (boolean): whether the tier has the metric on more than one dataset
-- column: is_lead (boolean): whether the metric is the first by which the dataset is read: judges, else faithfulness, else
--   answer relevancy, else the first there is
-- column: approach (varchar): the approach
-- column: series_n (bigint, 0 or more): number of the approach in its tier, the same on every chart
-- column: place (varchar): ranked, provisional or unranked
-- column: place_reason (varchar): cannot_apply or nothing_scored
-- column: best_rank (bigint, 1 or more): the rank if the missing scores were as good as they can be
-- column: worst_rank (bigint, 1 or more): the rank if they were as bad as they can be
-- column: rank_text (varchar): the rank, or its range
-- column: tie_n (bigint): the rank when others share it
-- column: first_text (varchar): of an approach that can be first: alone, tie, or open when missing scores leave it open
-- column: mean (double): mean of the scores there are
-- column: lower_bound (double): mean over all eligible questions if the missing scores were as low as they can be
-- column: upper_bound (double): the same if they were as high as they can be
-- column: scored_n (bigint, questions): eligible questions with a score
-- column: eligible_n (bigint, questions): questions the metric can apply to
-- column: coverage (double, 0..1): scored per eligible question
-- column: errors_n (bigint, questions): eligible questions without a score because something failed
-- column: timeouts_n (bigint, questions): those that ran out of time
-- column: value_text (varchar): the mean, with as many decimals as show every difference
-- column: bounds_text (varchar): both bounds, joined by `and`
-- column: lower_text (varchar): the lower bound
-- column: upper_text (varchar): the upper bound
-- column: coverage_text (varchar): scored and eligible questions, and what is missing
-- column: common_mean (double): mean over the questions that everybody has a score for
-- column: common_rank (bigint, 1 or more): rank of that mean
-- column: common_text (varchar): the mean over them, with their number
-- column: latency_ms (double, ms): mean latency of the same approach
-- column: latency_text (varchar): the same
-- order: tier, the metric's place, metric, complexity_level, dataset_id, run_id, best_rank, worst_rank, the bound on the worse
--   side, approach
-- nulls: high is null when there is no limit; place_reason is null unless unranked; ranks are null when unranked; rank_text is
--   `-` then; tie_n is null without a settled tie; first_text is null
--   for everybody else; means are null without scores; a bound is null when there is no limit on its
--   side or the metric cannot apply; coverage is null when nothing is eligible; latency is null when nothing was answered
-- since: 0.1.0
with
tiered as (
    select approach_tiers.*
    from staging.approach_tiers
    where $run_id is null or approach_tiers.run_id = $run_id
),
series as (
    select
        tiers.tier,
        tiers.approach,
        row_number() over (partition by tiers.tier order by tiers.approach) - 1 as series_n
    from (select distinct tiered.tier, tiered.approach from tiered) as tiers
),
largest as (
    select sized.tier, sized.dataset_id, sized.run_id
    from (
        select
            tiered.tier,
            tiered.dataset_id,
            tiered.run_id,
            row_number() over (
                partition by tiered.tier, tiered.dataset_id order by sum(tiered.cells_n) desc, tiered.run_id
            ) as place_n
        from tiered
        group by tiered.tier, tiered.dataset_id, tiered.run_id
    ) as sized
    where sized.place_n = 1
),
scoped as (
    select
        metric_cells.run_id,
        metric_cells.dataset_id,
        metric_cells.complexity_level,
        metric_cells.question_id,
        metric_cells.approach,
        metric_cells.metric,
        metric_cells.state,
        metric_cells.reason,
        metric_cells.score,
        metric_cells.is_eligible,
        metric_cells.is_applicable,
        tiered.tier,
        card.place_n as metric_n,
        card.better,
        card.low,
        card.high
    from metric_cells
    inner join metric_cards as card on card.metric = metric_cells.metric
    inner join tiered
        on tiered.run_id = metric_cells.run_id
        and tiered.dataset_id = metric_cells.dataset_id
        and tiered.approach = metric_cells.approach
    where $run_id is null or metric_cells.run_id = $run_id
),
counted as (
    select
        scoped.tier,
        scoped.metric,
        scoped.run_id,
        scoped.dataset_id,
        scoped.approach,
        scoped.metric_n,
        scoped.better,
        scoped.low,
        scoped.high,
        min(scoped.complexity_level) as complexity_level,
        bool_and(scoped.is_applicable) as is_applicable,
        exact_sum(scoped.score) as score_sum,
        count(scoped.score) as scored_n,
        count(*) filter (where scoped.is_eligible) as eligible_n,
        count(*) filter (
            where scoped.is_eligible and scoped.score is null
            and (scoped.state = 'error' or scoped.reason = 'cell_error')
        ) as errors_n,
        count(*) filter (
            where scoped.is_eligible and scoped.score is null
            and (scoped.state = 'timeout' or scoped.reason = 'cell_timeout')
        ) as timeouts_n
    from scoped
    group by
        scoped.tier, scoped.metric, scoped.run_id, scoped.dataset_id, scoped.approach, scoped.metric_n,
        scoped.better, scoped.low, scoped.high
),
bounded as (
    select
        counted.*,
        counted.score_sum / nullif(counted.scored_n, 0) as mean,
        cast(counted.scored_n as double) / nullif(counted.eligible_n, 0) as coverage,
        case
            when counted.is_applicable
                then (coalesce(counted.score_sum, 0.0) + (counted.eligible_n - counted.scored_n) * counted.low)
                    / nullif(counted.eligible_n, 0)
        end as lower_bound,
        case
            when counted.is_applicable and counted.scored_n = counted.eligible_n
                then counted.score_sum / nullif(counted.eligible_n, 0)
            when counted.is_applicable
                then (coalesce(counted.score_sum, 0.0) + (counted.eligible_n - counted.scored_n) * counted.high)
                    / nullif(counted.eligible_n, 0)
        end as upper_bound,
        counted.is_applicable and counted.scored_n > 0 as is_contender
    from counted
),
-- Equal at twelve digits is equal: the means are quotients of exact sums.
candidate as (
    select
        bounded.tier,
        bounded.metric,
        bounded.run_id,
        bounded.dataset_id,
        bounded.approach,
        case
            when bounded.better = 'higher' then round(coalesce(bounded.lower_bound, cast('-infinity' as double)), 12)
            else -round(coalesce(bounded.upper_bound, cast('infinity' as double)), 12)
        end as worst_value,
        case
            when bounded.better = 'higher' then round(coalesce(bounded.upper_bound, cast('infinity' as double)), 12)
            else -round(coalesce(bounded.lower_bound, cast('-infinity' as double)), 12)
        end as best_value
    from bounded
    where bounded.is_contender
),
rank_range as (
    select
        candidate.tier,
        candidate.metric,
        candidate.run_id,
        candidate.dataset_id,
        candidate.approach,
        min(candidate.worst_value) as worst_value,
        1 + count(*) filter (where other.worst_value > candidate.best_value) as best_rank,
        1 + count(*) filter (where other.best_value > candidate.worst_value) as worst_rank
    from candidate
    left join candidate as other
        on other.tier = candidate.tier
        and other.metric = candidate.metric
        and other.run_id = candidate.run_id
        and other.dataset_id = candidate.dataset_id
        and other.approach <> candidate.approach
    group by candidate.tier, candidate.metric, candidate.run_id, candidate.dataset_id, candidate.approach
),
contender as (
    select bounded.tier, bounded.metric, bounded.run_id, bounded.dataset_id, count(*) as contenders_n
    from bounded
    where bounded.is_contender
    group by bounded.tier, bounded.metric, bounded.run_id, bounded.dataset_id
),
common_question as (
    select scoped.tier, scoped.metric, scoped.run_id, scoped.dataset_id, scoped.question_id
    from scoped
    inner join contender
        on contender.tier = scoped.tier
        and contender.metric = scoped.metric
        and contender.run_id = scoped.run_id
        and contender.dataset_id = scoped.dataset_id
    where scoped.score is not null and scoped.is_applicable
    group by scoped.tier, scoped.metric, scoped.run_id, scoped.dataset_id, scoped.question_id
    having count(*) = max(contender.contenders_n)
),
common as (
    select
        scoped.tier,
        scoped.metric,
        scoped.run_id,
        scoped.dataset_id,
        scoped.approach,
        exact_mean(scoped.score) as common_mean,
        count(scoped.score) as common_n
    from scoped
    inner join common_question
        on common_question.tier = scoped.tier
        and common_question.metric = scoped.metric
        and common_question.run_id = scoped.run_id
        and common_question.dataset_id = scoped.dataset_id
        and common_question.question_id = scoped.question_id
    where scoped.score is not null and scoped.is_applicable
    group by scoped.tier, scoped.metric, scoped.run_id, scoped.dataset_id, scoped.approach
),
-- Decimals that show every difference, and never show an end of the range that was not reached.
digits as (
    select
        bounded.tier,
        bounded.metric,
        bounded.run_id,
        bounded.dataset_id,
        case
            when bounded.metric = 'latency_ms' then 0
            when count(distinct round(bounded.mean, 3)) = count(distinct round(bounded.mean, 12))
                and count(*) filter (where bounded.mean < bounded.high and round(bounded.mean, 3) >= bounded.high) = 0
                and count(*) filter (where bounded.mean > bounded.low and round(bounded.mean, 3) <= bounded.low) = 0
                then 3
            when count(distinct round(bounded.mean, 4)) = count(distinct round(bounded.mean, 12))
                and count(*) filter (where bounded.mean < bounded.high and round(bounded.mean, 4) >= bounded.high) = 0
                and count(*) filter (where bounded.mean > bounded.low and round(bounded.mean, 4) <= bounded.low) = 0
                then 4
            else 6
        end as digits_n
    from bounded
    group by bounded.tier, bounded.metric, bounded.run_id, bounded.dataset_id
),
lead_metric as (
    select
        bounded.tier,
        bounded.run_id,
        bounded.dataset_id,
        bounded.metric
    from (
        select
            bounded.tier,
            bounded.run_id,
            bounded.dataset_id,
            bounded.metric,
            row_number() over (
                partition by bounded.tier, bounded.run_id, bounded.dataset_id order by min(bounded.metric_n), bounded.metric
            ) as metric_place
        from bounded
        where bounded.is_contender
        group by bounded.tier, bounded.run_id, bounded.dataset_id, bounded.metric
    ) as bounded
    where bounded.metric_place = 1
),
placed as (
    select
        bounded.*,
        series.series_n,
        digits.digits_n,
        rank_range.worst_value,
        rank_range.best_rank,
        rank_range.worst_rank,
        largest.run_id is not null as is_line,
        lead_metric.metric is not null as is_lead,
        dense_rank() over (order by bounded.complexity_level, bounded.dataset_id) as step_n,
        common.common_mean,
        coalesce(common.common_n, 0) as common_n,
        case
            when rank_range.best_rank = rank_range.worst_rank and count(*) over (
                partition by bounded.tier, bounded.metric, bounded.run_id, bounded.dataset_id,
                    rank_range.best_rank, rank_range.worst_rank
            ) > 1
                then rank_range.best_rank
        end as tie_n,
        max(case when bounded.metric = 'latency_ms' then bounded.mean end) over (
            partition by bounded.tier, bounded.run_id, bounded.dataset_id, bounded.approach
        ) as latency_ms
    from bounded
    inner join series on series.tier = bounded.tier and series.approach = bounded.approach
    inner join digits
        on digits.tier = bounded.tier
        and digits.metric = bounded.metric
        and digits.run_id = bounded.run_id
        and digits.dataset_id = bounded.dataset_id
    left join largest
        on largest.tier = bounded.tier and largest.dataset_id = bounded.dataset_id and largest.run_id = bounded.run_id
    left join lead_metric
        on lead_metric.tier = bounded.tier
        and lead_metric.run_id = bounded.run_id
        and lead_metric.dataset_id = bounded.dataset_id
        and lead_metric.metric = bounded.metric
    left join rank_range
        on rank_range.tier = bounded.tier
        and rank_range.metric = bounded.metric
        and rank_range.run_id = bounded.run_id
        and rank_range.dataset_id = bounded.dataset_id
        and rank_range.approach = bounded.approach
    left join common
        on common.tier = bounded.tier
        and common.metric = bounded.metric
        and common.run_id = bounded.run_id
        and common.dataset_id = bounded.dataset_id
        and common.approach = bounded.approach
)
select
    concat(placed.tier, chr(31), placed.metric) as line_key,
    concat(placed.tier, chr(31), placed.metric, chr(31), placed.run_id, chr(31), placed.dataset_id) as panel_key,
    placed.tier,
    placed.metric,
    placed.better,
    placed.low,
    placed.high,
    placed.run_id,
    placed.dataset_id,
    placed.complexity_level,
    placed.step_n,
    concat('level ', cast(placed.complexity_level as varchar), ', ', placed.dataset_id) as step_text,
    placed.is_line,
    min(placed.step_n) over (partition by placed.tier, placed.metric)
        < max(placed.step_n) over (partition by placed.tier, placed.metric) as is_progression,
    placed.is_lead,
    placed.approach,
    placed.series_n,
    case
        when not placed.is_contender then 'unranked'
        when placed.best_rank < placed.worst_rank then 'provisional'
        else 'ranked'
    end as place,
    case
        when not placed.is_applicable then 'cannot_apply'
        when placed.scored_n = 0 then 'nothing_scored'
    end as place_reason,
    placed.best_rank,
    placed.worst_rank,
    case
        when placed.best_rank is null then '-'
        when placed.best_rank = placed.worst_rank then cast(placed.best_rank as varchar)
        else concat(cast(placed.best_rank as varchar), '-', cast(placed.worst_rank as varchar))
    end as rank_text,
    placed.tie_n,
    case
        when placed.best_rank > 1 then null
        when placed.tie_n is not null then 'tie'
        when placed.best_rank = placed.worst_rank then 'alone'
        when placed.best_rank = 1 then 'open'
    end as first_text,
    placed.mean,
    placed.lower_bound,
    placed.upper_bound,
    placed.scored_n,
    placed.eligible_n,
    placed.coverage,
    placed.errors_n,
    placed.timeouts_n,
    case
        when placed.metric = 'latency_ms' then concat(fixed0(placed.mean), ' ms')
        else fixed_n(placed.mean, placed.digits_n)
    end as value_text,
    case
        when placed.lower_bound is not null
            then concat(
                fixed_n(placed.lower_bound, placed.digits_n),
                ' and ',
                coalesce(fixed_n(placed.upper_bound, placed.digits_n), 'any number'),
                case when placed.metric = 'latency_ms' then ' ms' end
            )
    end as bounds_text,
    fixed_n(placed.lower_bound, placed.digits_n) as lower_text,
    case
        when placed.upper_bound is not null then fixed_n(placed.upper_bound, placed.digits_n)
        when placed.lower_bound is not null then 'no limit'
    end as upper_text,
    case
        when not placed.is_applicable then 'cannot apply'
        else concat_ws(
            ', ',
            concat(cast(placed.scored_n as varchar), '/', cast(placed.eligible_n as varchar), ' scored'),
            case when placed.errors_n > 0 then concat(cast(placed.errors_n as varchar), ' failed') end,
            case when placed.timeouts_n > 0 then concat(cast(placed.timeouts_n as varchar), ' out of time') end,
            case
                when placed.eligible_n > placed.scored_n + placed.errors_n + placed.timeouts_n
                    then concat(
                        cast(placed.eligible_n - placed.scored_n - placed.errors_n - placed.timeouts_n as varchar), ' missing'
                    )
            end
        )
    end as coverage_text,
    placed.common_mean,
    case
        when placed.common_mean is not null
            then rank() over (
                partition by placed.tier, placed.metric, placed.run_id, placed.dataset_id
                order by
                    case
                        when placed.better = 'higher' then round(placed.common_mean, 12)
                        else -round(placed.common_mean, 12)
                    end desc nulls last
            )
    end as common_rank,
    case
        when placed.common_mean is not null
            then concat(
                case
                    when placed.metric = 'latency_ms' then concat(fixed0(placed.common_mean), ' ms')
                    else fixed_n(placed.common_mean, placed.digits_n)
                end,
                ' on ',
                cast(placed.common_n as varchar)
            )
    end as common_text,
    placed.latency_ms,
    case when placed.latency_ms is not null then concat(fixed0(placed.latency_ms), ' ms') end as latency_text
from placed
order by
    placed.tier, placed.metric_n, placed.metric, placed.complexity_level, placed.dataset_id, placed.run_id,
    placed.best_rank nulls last, placed.worst_rank nulls last, placed.worst_value desc nulls last, placed.approach
