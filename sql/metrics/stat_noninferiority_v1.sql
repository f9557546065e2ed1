-- name: metrics/stat_noninferiority_v1
-- purpose: Says whether an approach is worse than a reference by more than a margin: one-sided limits of the paired
--   difference (statistics contract, sections 5.3 and 8). The reference is another approach of the same run, or the same
--   approach of another run.
-- grain: dataset_id, approach
-- reads: metric_cells, metric_cards
-- param: metric (varchar, required): the metric
-- param: margin (double, required): how much worse is still acceptable, above 0, on the scale of comparison
-- param: run_id (varchar, required): the run that is judged
-- param: baseline_run_id (varchar, default null): the run of the reference; null takes the same run
-- param: reference (varchar, default null): the reference approach; null takes the approach itself, in the other run
-- param: alpha (double, default 0.05): level of each one-sided limit
-- param: coverage_floor (double, default 0.8): least share of eligible questions that are shared
-- column: dataset_id (varchar): the dataset
-- column: approach (varchar): the approach that is judged
-- column: reference (varchar): the approach it is compared with
-- column: shared_n (bigint, questions): questions that both have a score for
-- column: eligible_n (bigint, questions): questions the metric can apply to for anybody
-- column: difference (double): mean of the approach less the reference, turned so that above 0 is better
-- column: lower (double): one-sided lower limit
-- column: upper (double): one-sided upper limit
-- column: verdict (varchar): pass (not worse by more than the margin), fail (worse by more) or inconclusive
-- column: is_equivalent (boolean): whether both limits lie within the margin
-- column: note (varchar): identical, small_real_decline or clear_gain
-- column: reason (varchar): no_margin, no_shared_questions, one_question, one_cluster, no_spread or coverage
-- order: dataset_id, approach
-- nulls: limits are null with a reason other than coverage, or when identical; note is null when there is nothing to note
-- since: 0.1.0
with
shared as (
    select
        one.dataset_id, one.approach, two.approach as reference, one.question_id, one.unit, one.is_eligible,
        case when metric_cards.better = 'lower' then two.steps_n - one.steps_n else one.steps_n - two.steps_n end as d,
        metric_cards.quantum
    from metric_cells as one
    inner join metric_cells as two
        on two.run_id = coalesce($baseline_run_id, $run_id)
        and two.dataset_id = one.dataset_id
        and two.question_id = one.question_id
        and two.metric = one.metric
        and two.approach = coalesce($reference, one.approach)
    inner join metric_cards on metric_cards.metric = one.metric
    where
        one.run_id = $run_id
        and one.metric = $metric
        and one.is_applicable
        and one.is_eligible
        and (one.approach <> two.approach or $baseline_run_id <> $run_id)
),
unit as (
    select dataset_id, approach, reference, unit, quantum, count(*) as questions_n, count(d) as n_g,
        cast(coalesce(sum(d), 0) as hugeint) as s_g
    from shared
    group by dataset_id, approach, reference, unit, quantum
),
moved as (
    select dataset_id, approach, count(*) filter (where d <> 0) as moved_n
    from shared
    group by dataset_id, approach
),
total as (
    select
        dataset_id, approach, reference, quantum,
        cast(sum(questions_n) as bigint) as eligible_n,
        cast(sum(n_g) as bigint) as n,
        cast(sum(s_g) as hugeint) as s,
        count(*) filter (where n_g > 0) as units_n,
        max(cast(s_g as double) / nullif(n_g, 0)) > min(cast(s_g as double) / nullif(n_g, 0)) as has_spread
    from unit
    group by dataset_id, approach, reference, quantum
),
part as (
    select
        total.dataset_id, total.approach,
        cast(unit.n_g as double) / total.n as share,
        cast(total.n * unit.s_g - unit.n_g * total.s as double) / total.n * total.quantum as residual
    from total
    inner join unit on unit.dataset_id = total.dataset_id and unit.approach = total.approach
    where total.units_n > 1 and total.has_spread and unit.n_g > 0
),
variance as (
    select
        dataset_id, approach,
        decimal_sum(residual * residual / (1 - share)) as squares,
        1 / (
            decimal_sum(share * share)
            + power(decimal_sum(share * share / (1 - share)), 2)
            - decimal_sum(power(share * share / (1 - share), 2))
        ) as df
    from part
    group by dataset_id, approach
),
measured as (
    select
        total.dataset_id, total.approach, total.reference, total.n, total.eligible_n,
        cast(total.s as double) * total.quantum / nullif(total.n, 0) as m,
        sqrt(variance.squares) / total.n as se,
        variance.df,
        total.n > 1 and moved.moved_n = 0 as is_identical,
        case
            when $margin is null or not $margin > 0 then 'no_margin'
            when total.n = 0 then 'no_shared_questions'
            when total.n = 1 then 'one_question'
            when moved.moved_n > 0 and total.units_n = 1 then 'one_cluster'
            when moved.moved_n > 0 and not total.has_spread then 'no_spread'
            when total.n < $coverage_floor * total.eligible_n then 'coverage'
        end as reason
    from total
    inner join moved on moved.dataset_id = total.dataset_id and moved.approach = total.approach
    left join variance on variance.dataset_id = total.dataset_id and variance.approach = total.approach
),
limited as (
    select
        measured.*,
        measured.m - t_quantile(1 - $alpha, measured.df) * measured.se as lower,
        measured.m + t_quantile(1 - $alpha, measured.df) * measured.se as upper
    from measured
)
select
    limited.dataset_id,
    limited.approach,
    limited.reference,
    limited.n as shared_n,
    limited.eligible_n,
    limited.m as difference,
    limited.lower,
    limited.upper,
    case
        when limited.reason is not null then 'inconclusive'
        when limited.is_identical or limited.lower >= -$margin then 'pass'
        when limited.upper < -$margin then 'fail'
        else 'inconclusive'
    end as verdict,
    limited.reason is null and coalesce(limited.lower > -$margin and limited.upper < $margin, false) as is_equivalent,
    case
        when limited.is_identical then 'identical'
        when limited.reason is null and limited.lower >= -$margin and limited.upper < 0 then 'small_real_decline'
        when limited.reason is null and limited.lower > 0 then 'clear_gain'
    end as note,
    limited.reason
from limited
order by limited.dataset_id, limited.approach
