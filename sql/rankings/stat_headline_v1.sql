-- name: rankings/stat_headline_v1
-- purpose: Ranks approaches on the questions that all candidates have a score for, and says what the missing scores leave
--   open: bounds of every mean and the range of ranks (statistics contract, sections 1 and 2).
-- grain: run_id, dataset_id, metric, approach
-- reads: metric_cells, metric_cards
-- param: run_id (varchar, default null): only this run; null takes all, each on its own
-- param: dataset_id (varchar, default null): only this dataset; null takes all, each on its own
-- param: metric (varchar, default null): only this metric; null takes all
-- param: coverage_floor (double, default 0.8): least share of eligible questions that a candidate has scores for
-- param: questions_min (bigint, default 5): fewest scored questions of a candidate, and of the common set
-- param: common_ratio_min (double, default 0.5): least share of eligible questions in the common set
-- column: run_id (varchar): the run
-- column: dataset_id (varchar): the dataset
-- column: metric (varchar): the metric
-- column: better (varchar): higher or lower
-- column: approach (varchar): the approach
-- column: rank_status (varchar): ranked, provisional or unranked
-- column: status_reason (varchar): not_applicable, no_scores, few_questions or coverage
-- column: rank (bigint, 1 or more): competition rank of the mean over the common set
-- column: tied_n (bigint, 1 or more): candidates that share the rank
-- column: common_mean (double): mean over the common set
-- column: common_n (bigint, questions): questions that every candidate has a score for
-- column: headline_reason (varchar): no_candidates or common_set_too_small
-- column: best_rank (bigint, 1 or more): rank if the missing scores were as good as they can be
-- column: worst_rank (bigint, 1 or more): rank if they were as bad as they can be
-- column: lower_bound (double): mean over the eligible questions if the missing scores were as low as they can be
-- column: upper_bound (double): the same if they were as high as they can be
-- column: bound_reason (varchar): unbounded, not_applicable or no_scores
-- column: scored_n (bigint, questions): eligible questions with a score
-- column: eligible_n (bigint, questions): questions the metric can apply to for anybody
-- column: coverage (double, 0..1): scored per eligible question
-- order: run_id, dataset_id, metric, rank, best_rank, worst_rank, approach
-- nulls: status_reason is null unless unranked; rank, tied_n and common_mean are null unless there is a headline and the
--   approach is in it; headline_reason is null when there is one; ranges are null when unranked; bounds are null with
--   bound_reason; coverage is null when nothing is eligible
-- since: 0.1.0
with
scoped as (
    select
        metric_cells.run_id,
        metric_cells.dataset_id,
        metric_cells.metric,
        metric_cells.approach,
        metric_cells.question_id,
        metric_cells.score,
        metric_cells.is_applicable,
        metric_cells.is_eligible,
        metric_cards.low,
        metric_cards.high,
        metric_cards.better
    from metric_cells
    inner join metric_cards on metric_cards.metric = metric_cells.metric
    where
        ($run_id is null or metric_cells.run_id = $run_id)
        and ($dataset_id is null or metric_cells.dataset_id = $dataset_id)
        and ($metric is null or metric_cells.metric = $metric)
),
counted as (
    select
        scoped.run_id,
        scoped.dataset_id,
        scoped.metric,
        scoped.better,
        scoped.approach,
        bool_and(scoped.is_applicable) as is_applicable,
        count(scoped.score) as scored_n,
        count(*) filter (where scoped.is_eligible) as eligible_n,
        sum(cast(coalesce(scoped.score, scoped.low) as decimal(38, 18))) filter (where scoped.is_eligible) as low_sum,
        case
            when count(scoped.score) = count(*) filter (where scoped.is_eligible) or max(scoped.high) is not null
                then sum(cast(coalesce(scoped.score, scoped.high) as decimal(38, 18))) filter (where scoped.is_eligible)
        end as high_sum
    from scoped
    group by scoped.run_id, scoped.dataset_id, scoped.metric, scoped.better, scoped.approach
),
placed as (
    select
        counted.*,
        case
            when not counted.is_applicable then 'not_applicable'
            when counted.scored_n = 0 then 'no_scores'
            when counted.scored_n < $questions_min then 'few_questions'
            when counted.scored_n < $coverage_floor * counted.eligible_n then 'coverage'
        end as status_reason,
        case when counted.better = 'lower' then -counted.high_sum else counted.low_sum end as worst_value,
        case when counted.better = 'lower' then -counted.low_sum else counted.high_sum end as best_value
    from counted
),
candidate as (
    select
        placed.*,
        count(*) over (partition by placed.run_id, placed.dataset_id, placed.metric) as candidates_n
    from placed
    where placed.status_reason is null
),
-- A value that is null has no limit: nobody is surely better than such an end, and it may be better than anybody.
rank_range as (
    select
        candidate.run_id,
        candidate.dataset_id,
        candidate.metric,
        candidate.approach,
        1 + count(*) filter (where other.approach is not null and other.worst_value > candidate.best_value) as best_rank,
        1 + count(*) filter (
            where other.approach is not null and coalesce(other.best_value > candidate.worst_value, true)
        ) as worst_rank
    from candidate
    left join candidate as other
        on other.run_id = candidate.run_id
        and other.dataset_id = candidate.dataset_id
        and other.metric = candidate.metric
        and other.approach <> candidate.approach
    group by candidate.run_id, candidate.dataset_id, candidate.metric, candidate.approach
),
common_question as (
    select scoped.run_id, scoped.dataset_id, scoped.metric, scoped.question_id
    from scoped
    inner join candidate
        on candidate.run_id = scoped.run_id
        and candidate.dataset_id = scoped.dataset_id
        and candidate.metric = scoped.metric
        and candidate.approach = scoped.approach
    where scoped.score is not null
    group by scoped.run_id, scoped.dataset_id, scoped.metric, scoped.question_id
    having count(*) = max(candidate.candidates_n)
),
common_size as (
    select common_question.run_id, common_question.dataset_id, common_question.metric, count(*) as common_n
    from common_question
    group by common_question.run_id, common_question.dataset_id, common_question.metric
),
common_sum as (
    select
        scoped.run_id,
        scoped.dataset_id,
        scoped.metric,
        scoped.approach,
        sum(cast(scoped.score as decimal(38, 18))) as score_sum
    from scoped
    inner join common_question
        on common_question.run_id = scoped.run_id
        and common_question.dataset_id = scoped.dataset_id
        and common_question.metric = scoped.metric
        and common_question.question_id = scoped.question_id
    group by scoped.run_id, scoped.dataset_id, scoped.metric, scoped.approach
),
headline as (
    select
        candidate.run_id,
        candidate.dataset_id,
        candidate.metric,
        candidate.approach,
        common_sum.score_sum,
        common_size.common_n,
        coalesce(common_size.common_n, 0) >= $questions_min
            and coalesce(common_size.common_n, 0) >= $common_ratio_min * candidate.eligible_n as is_large_enough,
        rank() over (
            partition by candidate.run_id, candidate.dataset_id, candidate.metric
            order by case when candidate.better = 'lower' then -common_sum.score_sum else common_sum.score_sum end desc
        ) as place
    from candidate
    left join common_sum
        on common_sum.run_id = candidate.run_id
        and common_sum.dataset_id = candidate.dataset_id
        and common_sum.metric = candidate.metric
        and common_sum.approach = candidate.approach
    left join common_size
        on common_size.run_id = candidate.run_id
        and common_size.dataset_id = candidate.dataset_id
        and common_size.metric = candidate.metric
)
select
    placed.run_id,
    placed.dataset_id,
    placed.metric,
    placed.better,
    placed.approach,
    case
        when placed.status_reason is not null then 'unranked'
        when rank_range.best_rank = rank_range.worst_rank then 'ranked'
        else 'provisional'
    end as rank_status,
    placed.status_reason,
    case when headline.is_large_enough then headline.place end as rank,
    case
        when headline.is_large_enough
            then count(*) over (partition by placed.run_id, placed.dataset_id, placed.metric, headline.place)
    end as tied_n,
    cast(headline.score_sum as double) / headline.common_n as common_mean,
    coalesce(common_size.common_n, 0) as common_n,
    case
        when count(headline.approach) over (partition by placed.run_id, placed.dataset_id, placed.metric) = 0
            then 'no_candidates'
        when not bool_or(headline.is_large_enough) over (
            partition by placed.run_id, placed.dataset_id, placed.metric
        ) then 'common_set_too_small'
    end as headline_reason,
    rank_range.best_rank,
    rank_range.worst_rank,
    case when placed.is_applicable then cast(placed.low_sum as double) / nullif(placed.eligible_n, 0) end as lower_bound,
    case when placed.is_applicable then cast(placed.high_sum as double) / nullif(placed.eligible_n, 0) end as upper_bound,
    case
        when not placed.is_applicable then 'not_applicable'
        when placed.eligible_n = 0 then 'no_scores'
        when placed.high_sum is null then 'unbounded'
    end as bound_reason,
    placed.scored_n,
    placed.eligible_n,
    cast(placed.scored_n as double) / nullif(placed.eligible_n, 0) as coverage
from placed
left join rank_range
    on rank_range.run_id = placed.run_id
    and rank_range.dataset_id = placed.dataset_id
    and rank_range.metric = placed.metric
    and rank_range.approach = placed.approach
left join headline
    on headline.run_id = placed.run_id
    and headline.dataset_id = placed.dataset_id
    and headline.metric = placed.metric
    and headline.approach = placed.approach
left join common_size
    on common_size.run_id = placed.run_id
    and common_size.dataset_id = placed.dataset_id
    and common_size.metric = placed.metric
order by
    placed.run_id, placed.dataset_id, placed.metric, rank nulls last, rank_range.best_rank nulls last,
    rank_range.worst_rank nulls last, placed.approach
