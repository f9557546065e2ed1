-- name: rankings/standings_v1
-- purpose: Says where each approach stands in each metric, and how much of that the missing scores leave open.
--   Bounds fill every missing score with the worst and the best value of the metric's range; the rank range is what
--   those bounds leave open (statistics contract, section 1). Equal means are tied at six decimals.
-- grain: metric, approach
-- reads: cells, scores, retrieval_scores, metric_cards
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- param: run_id (varchar, default null): only this run; null takes all
-- param: dataset_id (varchar, default null): only this dataset; null takes all
-- column: metric_class (varchar): operational, ragas or retrieval
-- column: metric (varchar): the metric
-- column: better (varchar): higher or lower
-- column: measured_by (varchar): the model that scored, or what retrieval is compared with
-- column: digits_n (integer, 3..6): decimals that show every difference between the means
-- column: place (varchar): ranked, provisional or unranked
-- column: best_rank (bigint, 1 or more): the rank if the missing scores were as good as they can be
-- column: worst_rank (bigint, 1 or more): the rank if they were as bad as they can be
-- column: is_tied (boolean): whether another ranked approach has the same rank
-- column: approach (varchar): the approach
-- column: mean (double): mean of the scores there are, six decimals
-- column: lower_bound (double): the mean if the missing scores were as low as they can be
-- column: upper_bound (double): the mean if they were as high as they can be
-- column: scored_n (bigint, cells): cells with a score
-- column: eligible_n (bigint, cells): cells of questions the metric applies to for anybody
-- column: errors_n (bigint, cells): cells that failed, ran out of time, or whose score did
-- column: not_evaluable_n (bigint, cells): cells the metric cannot apply to
-- order: metric_class, metric, best_rank, worst_rank, the bound on the worse side, approach
-- nulls: measured_by is null when nothing was scored or for latency; ranks are null when unranked, or when a missing
--   score has no range; mean is null when nothing was scored; a bound is null when there is no limit on its side
-- since: 0.1.0
with
scoped_cell as (
    select cells.row_id, cells.dataset_id, cells.question_id, cells.approach, cells.status, cells.latency_ms,
        cells.evaluator_model
    from cells
    where
        ($source_file is null or cells.source_file = $source_file)
        and ($run_id is null or cells.run_id = $run_id)
        and ($dataset_id is null or cells.dataset_id = $dataset_id)
),
measured_cell as (
    select
        'ragas' as metric_class,
        scores.metric,
        scoped_cell.dataset_id,
        scoped_cell.question_id,
        scoped_cell.approach,
        scores.score,
        scores.state = 'not_evaluable' as is_not_evaluable,
        case when scores.state = 'scored' then scoped_cell.evaluator_model end as measured_by
    from scoped_cell
    inner join scores on scores.row_id = scoped_cell.row_id
    union all
    select
        'retrieval',
        retrieval_scores.metric,
        scoped_cell.dataset_id,
        scoped_cell.question_id,
        scoped_cell.approach,
        retrieval_scores.score,
        retrieval_scores.state = 'not_evaluable',
        'relevant_sources of the question file'
    from scoped_cell
    inner join retrieval_scores on retrieval_scores.row_id = scoped_cell.row_id
    union all
    select
        'operational',
        'latency_ms',
        scoped_cell.dataset_id,
        scoped_cell.question_id,
        scoped_cell.approach,
        case when scoped_cell.status = 'ok' then cast(scoped_cell.latency_ms as double) end,
        false,
        cast(null as varchar)
    from scoped_cell
),
question_metric as (
    select
        measured_cell.metric,
        measured_cell.dataset_id,
        measured_cell.question_id,
        bool_or(not measured_cell.is_not_evaluable) as is_eligible
    from measured_cell
    group by measured_cell.metric, measured_cell.dataset_id, measured_cell.question_id
),
counted as (
    select
        measured_cell.metric_class,
        measured_cell.metric,
        measured_cell.approach,
        exact_sum(measured_cell.score) as score_sum,
        count(measured_cell.score) as scored_n,
        count(*) filter (where question_metric.is_eligible) as eligible_n,
        count(*) filter (where measured_cell.is_not_evaluable) as not_evaluable_n,
        count(*) - count(measured_cell.score) - count(*) filter (where measured_cell.is_not_evaluable) as errors_n
    from measured_cell
    inner join question_metric
        on question_metric.metric = measured_cell.metric
        and question_metric.dataset_id = measured_cell.dataset_id
        and question_metric.question_id = measured_cell.question_id
    group by measured_cell.metric_class, measured_cell.metric, measured_cell.approach
),
bounded as (
    select
        counted.*,
        coalesce(metric_cards.better, 'higher') as better,
        r6(counted.score_sum / nullif(counted.scored_n, 0)) as mean,
        case
            when counted.eligible_n = 0 then null
            when counted.scored_n = counted.eligible_n then r6(counted.score_sum / counted.eligible_n)
            else r6(
                (coalesce(counted.score_sum, 0.0) + (counted.eligible_n - counted.scored_n) * metric_cards.low)
                / counted.eligible_n
            )
        end as lower_bound,
        case
            when counted.eligible_n = 0 then null
            when counted.scored_n = counted.eligible_n then r6(counted.score_sum / counted.eligible_n)
            else r6(
                (coalesce(counted.score_sum, 0.0) + (counted.eligible_n - counted.scored_n) * metric_cards.high)
                / counted.eligible_n
            )
        end as upper_bound,
        counted.scored_n < counted.eligible_n and metric_cards.metric is null as has_no_range
    from counted
    left join metric_cards on metric_cards.metric = counted.metric
),
candidate as (
    select
        bounded.metric,
        bounded.approach,
        bounded.has_no_range,
        case
            when bounded.better = 'higher' then coalesce(bounded.lower_bound, cast('-infinity' as double))
            else -coalesce(bounded.upper_bound, cast('infinity' as double))
        end as worst_value,
        case
            when bounded.better = 'higher' then coalesce(bounded.upper_bound, cast('infinity' as double))
            else -coalesce(bounded.lower_bound, cast('-infinity' as double))
        end as best_value
    from bounded
    where bounded.scored_n > 0
),
rank_range as (
    select
        candidate.metric,
        candidate.approach,
        1 + count(*) filter (where other.worst_value > candidate.best_value) as best_rank,
        1 + count(*) filter (where other.best_value > candidate.worst_value) as worst_rank,
        coalesce(bool_or(other.has_no_range), false) or bool_or(candidate.has_no_range) as is_open
    from candidate
    left join candidate as other on other.metric = candidate.metric and other.approach <> candidate.approach
    group by candidate.metric, candidate.approach
),
shared_rank as (
    select rank_range.metric, rank_range.best_rank, count(*) as approaches_n
    from rank_range
    where rank_range.best_rank = rank_range.worst_rank and not rank_range.is_open
    group by rank_range.metric, rank_range.best_rank
),
digits as (
    select
        bounded.metric,
        case
            when count(distinct round(bounded.mean, 3)) = count(distinct bounded.mean) then 3
            when count(distinct round(bounded.mean, 4)) = count(distinct bounded.mean) then 4
            when count(distinct round(bounded.mean, 5)) = count(distinct bounded.mean) then 5
            else 6
        end as digits_n
    from bounded
    group by bounded.metric
),
scorer as (
    select
        measured_cell.metric,
        case
            when count(distinct measured_cell.measured_by) > 1 then 'several models'
            else min(measured_cell.measured_by)
        end as measured_by
    from measured_cell
    group by measured_cell.metric
),
placed as (
    select
        bounded.*,
        scorer.measured_by,
        digits.digits_n,
        case
            when bounded.scored_n = 0 then 'unranked'
            when rank_range.is_open or rank_range.best_rank < rank_range.worst_rank then 'provisional'
            else 'ranked'
        end as place,
        case when not rank_range.is_open then rank_range.best_rank end as best_rank,
        case when not rank_range.is_open then rank_range.worst_rank end as worst_rank
    from bounded
    inner join digits on digits.metric = bounded.metric
    inner join scorer on scorer.metric = bounded.metric
    left join rank_range on rank_range.metric = bounded.metric and rank_range.approach = bounded.approach
)
select
    placed.metric_class,
    placed.metric,
    placed.better,
    placed.measured_by,
    placed.digits_n,
    placed.place,
    placed.best_rank,
    placed.worst_rank,
    placed.place = 'ranked' and coalesce(shared_rank.approaches_n, 1) > 1 as is_tied,
    placed.approach,
    placed.mean,
    placed.lower_bound,
    placed.upper_bound,
    placed.scored_n,
    placed.eligible_n,
    placed.errors_n,
    placed.not_evaluable_n
from placed
left join shared_rank on shared_rank.metric = placed.metric and shared_rank.best_rank = placed.best_rank
order by
    placed.metric_class,
    placed.metric,
    case when placed.place = 'unranked' then 1 else 0 end,
    placed.best_rank nulls last,
    placed.worst_rank nulls last,
    case when placed.better = 'lower' then placed.upper_bound end nulls last,
    case when placed.better = 'higher' then placed.lower_bound end desc nulls last,
    placed.approach
