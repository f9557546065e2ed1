-- name: reports/gate_v1
-- purpose: Decides a regression gate: one row for every check, dataset and approach, and on each of them the total. Terminal,
--   JSON, JUnit and HTML show these rows and decide nothing (statistics contract, sections 1, 3, 5.3 and 8).
-- grain: position
-- reads: metric_cells, metric_cards, cells, scores, retrieval_scores, staging.run_marks, staging.run_mark_pairs
-- param: candidate_run_id (varchar, required): the run that is judged
-- param: baseline_run_id (varchar, default null): the run it is held against; null leaves checks against it undecided
-- param: checks (varchar, required): JSON list of {number, name, rule, metric, value, is_point, has_coverage_rule, is_required, approaches, datasets}; rule is
--   min_coverage, coverage_drop_max, min_mean, max_mean, margin, robust or better_than_baseline
-- param: alpha (double, default 0.05): level of each one-sided limit, before it is divided
-- param: coverage_floor (double, default 0.8): least share of eligible questions with a score, in both runs where a rule compares them
-- param: looks_max (bigint, default null): evaluations of different scores that were declared in advance; divides the level
-- param: fail_correction (varchar, default "none"): none, or bonferroni to divide the level of failing by the number of tests
-- param: may_differ (varchar, default "[]"): JSON list of instrument marks that may differ between the runs
-- param: attempts (varchar, default "[]"): JSON list of the digests of scores that were evaluated against the same baseline before
-- column: position (bigint, 1 or more): place in the report: what failed, then what is undecided, then the rest
-- column: check_name (varchar): the check as the manifest calls it
-- column: rule (varchar): comparable, looks, or one of the rules above
-- column: is_required (boolean): whether it decides the total; advisory checks are shown only
-- column: dataset_id (varchar): the dataset
-- column: approach (varchar): the approach
-- column: metric (varchar): the metric
-- column: measured_by (varchar): evaluators or judges of both runs, or what retrieval is compared with
-- column: verdict (varchar): pass, fail, inconclusive, not_robust, not_run or not_applicable
-- column: reason (varchar): why it could not be decided, or why it failed where the numbers do not say it
-- column: note (varchar): identical, small_real_decline, clear_gain or point_rule
-- column: marks (varchar): instrument marks that differ, and differ though they may
-- column: scale (varchar): raw, or log where means are geometric and changes are ratios
-- column: better (varchar): higher or lower
-- column: scored_n (bigint, questions): questions with a score, in both runs where the rule compares them
-- column: eligible_n (bigint, questions): questions the metric can apply to
-- column: observed (double): the mean, the coverage, or the change; changes are turned so that above 0 is better, ratios are not
-- column: lower (double): its one-sided lower limit, cut at the limits of the metric; the worst case for robust
-- column: upper (double): its one-sided upper limit
-- column: baseline_coverage (double, 0..1): coverage of the baseline, for coverage_drop_max
-- column: limit_value (double): what the manifest asks for
-- column: pass_alpha (double): level of the limit that lets a check pass
-- column: fail_alpha (double): level of the limit that lets it fail
-- column: total_verdict (varchar): fail, inconclusive or pass
-- column: passed_n (bigint, checks): required rows that passed
-- column: failed_n (bigint, checks): required rows that failed
-- column: inconclusive_n (bigint, checks): required rows that could not be decided
-- column: advisory_n (bigint, checks): rows that do not count
-- column: attempt_n (bigint, 1 or more): evaluations against this baseline, this one included
-- column: looks_n (bigint, 1 or more): different scores among them
-- column: looks_max (bigint): as declared
-- column: false_pass_ratio (double, 0..1): chance that one of so many independent looks passes a change that is just as bad as the margin
-- column: evidence (varchar): digest of the scores that the checks read
-- order: position
-- nulls: dataset, approach, metric and numbers are null where the rule has none; limits are null where they cannot
--   be had; measured_by is null for what the runner counts itself
-- since: 0.1.0
with
given as (
    select unnest(json_items($checks)) as item
),
checked as (
    select
        cast(json_member_text(item, 'number') as bigint) as number,
        json_member_text(item, 'name') as check_name,
        json_member_text(item, 'rule') as rule,
        json_member_text(item, 'metric') as metric,
        cast(json_member_text(item, 'value') as decimal(28, 12)) as value,
        coalesce(cast(json_member_text(item, 'is_point') as boolean), false) as is_point,
        coalesce(cast(json_member_text(item, 'has_coverage_rule') as boolean), false) as has_coverage_rule,
        coalesce(cast(json_member_text(item, 'is_required') as boolean), true) as is_required,
        json_texts(json_member(item, 'approaches')) as approaches,
        json_texts(json_member(item, 'datasets')) as datasets,
        json_member_text(item, 'rule') in ('coverage_drop_max', 'margin', 'robust', 'better_than_baseline') as is_paired
    from given
),
metric as (
    select distinct metric from checked
),
-- Who measured: the evaluators of both runs, their judges, or the question file.
scorer as (
    select named.metric, string_agg(named.name, ', ' order by named.name) as measured_by
    from (
        select distinct scores.metric, cells.evaluator_model as name
        from scores
        inner join cells on cells.row_id = scores.row_id
        where cells.run_id in ($baseline_run_id, $candidate_run_id) and scores.state = 'scored'
        union
        select 'judge_mean', unnest(string_split(value, ', '))
        from staging.run_marks
        where run_id in ($baseline_run_id, $candidate_run_id) and mark = 'judges'
        union
        select distinct retrieval_scores.metric, 'relevant_sources of the question file'
        from retrieval_scores
    ) as named
    where named.name is not null
    group by named.metric
),
card as (
    select
        metric_cards.*,
        case when better = 'lower' then -1 else 1 end as direction,
        case when scale = 'raw' then cast(floor(low / quantum + 0.5) as bigint) end as low_n,
        case when scale = 'raw' then cast(floor(high / quantum + 0.5) as bigint) end as high_n
    from metric_cards
    inner join metric on metric.metric = metric_cards.metric
),
held as materialized (
    select
        metric_cells.run_id, metric_cells.dataset_id, metric_cells.metric, metric_cells.approach, metric_cells.question_id,
        metric_cells.unit, metric_cells.state, metric_cells.steps_n, metric_cells.is_eligible, metric_cells.is_applicable,
        metric_cells.run_id = $candidate_run_id as is_candidate
    from metric_cells
    inner join metric on metric.metric = metric_cells.metric
    where metric_cells.run_id in ($candidate_run_id, $baseline_run_id)
),
-- The same whatever the order of rows: a sum of hashes of every score, or of why there is none.
evidence as (
    select concat(
        count(*), '-',
        coalesce(sum(hex_number(substr(md5(concat_ws(
            chr(31), dataset_id, question_id, approach, metric, state, coalesce(cast(steps_n as varchar), '')
        )), 1, 12))), 0)
    ) as digest
    from held
    where is_candidate
),
earlier as (
    select unnest(json_texts($attempts)) as digest
),
looks as (
    select
        1 + (select count(*) from earlier) as attempt_n,
        (select count(distinct digest) from (select digest from earlier union all select digest from evidence) as every_look)
            as looks_n
),
-- Which datasets and approaches there are, in either run.
scope as (
    select
        dataset_id, approach,
        bool_or(run_id = $candidate_run_id) as in_candidate,
        bool_or(run_id = $baseline_run_id) as in_baseline
    from cells
    where run_id in ($candidate_run_id, $baseline_run_id)
    group by dataset_id, approach
),
wanted_dataset as (
    select checked.number, unnest(checked.datasets) as dataset_id from checked where checked.datasets is not null
    union all
    select checked.number, dataset.dataset_id
    from checked
    cross join (select distinct dataset_id from scope) as dataset
    where checked.datasets is null
),
wanted as (
    select wanted_dataset.number, wanted_dataset.dataset_id, named.approach, true as is_named
    from wanted_dataset
    inner join (select number, unnest(approaches) as approach from checked where approaches is not null) as named
        on named.number = wanted_dataset.number
    union all
    select wanted_dataset.number, wanted_dataset.dataset_id, scope.approach, false
    from wanted_dataset
    inner join checked on checked.number = wanted_dataset.number and checked.approaches is null
    left join scope on scope.dataset_id = wanted_dataset.dataset_id
),
-- Means over each run's own questions.
own_unit as (
    select
        is_candidate, dataset_id, metric, approach, unit,
        count(*) filter (where is_eligible) as eligible_n,
        count(steps_n) as n_g,
        cast(coalesce(sum(steps_n), 0) as hugeint) as s_g
    from held
    where is_applicable
    group by is_candidate, dataset_id, metric, approach, unit
),
-- Changes over the questions of both runs, turned so that above 0 is better; a missing score may be anything the metric allows.
pair as (
    select
        candidate.dataset_id, candidate.metric, candidate.approach, candidate.unit,
        card.direction * (candidate.steps_n - baseline.steps_n) as d,
        case
            when card.direction > 0
                then coalesce(candidate.steps_n, card.low_n) - coalesce(baseline.steps_n, card.high_n)
            else coalesce(baseline.steps_n, card.low_n) - coalesce(candidate.steps_n, card.high_n)
        end as worst_n
    from held as candidate
    inner join held as baseline
        on not baseline.is_candidate
        and baseline.dataset_id = candidate.dataset_id
        and baseline.metric = candidate.metric
        and baseline.approach = candidate.approach
        and baseline.question_id = candidate.question_id
    inner join card on card.metric = candidate.metric
    where
        candidate.is_candidate
        and candidate.is_applicable
        and baseline.is_applicable
        and candidate.is_eligible
        and baseline.is_eligible
),
worst as (
    select
        dataset_id, metric, approach,
        count(*) filter (where d <> 0) as moved_n,
        case when count(worst_n) = count(*) then cast(sum(worst_n) as double) / count(*) end as worst
    from pair
    group by dataset_id, metric, approach
),
every_unit as (
    select case when is_candidate then 'candidate' else 'baseline' end as side, dataset_id, metric, approach, unit,
        eligible_n, n_g, s_g
    from own_unit
    union all
    select 'change', dataset_id, metric, approach, unit, count(*), count(d), cast(coalesce(sum(d), 0) as hugeint)
    from pair
    group by dataset_id, metric, approach, unit
),
total as (
    select
        side, dataset_id, metric, approach,
        cast(sum(eligible_n) as bigint) as eligible_n,
        cast(sum(n_g) as bigint) as n,
        cast(sum(s_g) as hugeint) as s,
        count(*) filter (where n_g > 0) as units_n,
        max(cast(s_g as double) / nullif(n_g, 0)) > min(cast(s_g as double) / nullif(n_g, 0)) as has_spread
    from every_unit
    group by side, dataset_id, metric, approach
),
part as (
    select
        total.side, total.dataset_id, total.metric, total.approach,
        cast(every_unit.n_g as double) / total.n as share,
        cast(total.n * every_unit.s_g - every_unit.n_g * total.s as double) / total.n * card.quantum as residual
    from total
    inner join every_unit
        on every_unit.side = total.side
        and every_unit.dataset_id = total.dataset_id
        and every_unit.metric = total.metric
        and every_unit.approach = total.approach
    inner join card on card.metric = total.metric
    where total.units_n > 1 and total.has_spread and every_unit.n_g > 0
),
variance as (
    select
        side, dataset_id, metric, approach,
        decimal_sum(residual * residual / (1 - share)) as squares,
        1 / (
            decimal_sum(share * share)
            + power(decimal_sum(share * share / (1 - share)), 2)
            - decimal_sum(power(share * share / (1 - share), 2))
        ) as df
    from part
    group by side, dataset_id, metric, approach
),
moment as (
    select
        total.*,
        cast(total.s as double) * card.quantum / nullif(total.n, 0) as m,
        sqrt(variance.squares) / total.n as se,
        variance.df
    from total
    inner join card on card.metric = total.metric
    left join variance
        on variance.side = total.side
        and variance.dataset_id = total.dataset_id
        and variance.metric = total.metric
        and variance.approach = total.approach
),
applicable as (
    select dataset_id, metric, approach, bool_and(is_applicable) as is_applicable
    from held
    group by dataset_id, metric, approach
),
-- What has to be the same in both runs, dataset by dataset.
mark as (
    select dataset_id, mark, mark in (select unnest(json_texts($may_differ))) as may_differ
    from staging.run_mark_pairs
    where
        baseline_run_id = $baseline_run_id
        and candidate_run_id = $candidate_run_id
        and kind = 'instrument'
        and differs
),
compared as (
    select
        dataset.dataset_id,
        case
            when not coalesce(scoped.in_baseline, false) then 'not_in_baseline'
            when not coalesce(scoped.in_candidate, false) then 'no_cells'
            when count(mark.mark) filter (where not mark.may_differ) > 0 then 'not_comparable'
        end as reason,
        string_agg(mark.mark, ', ' order by mark.mark) filter (where not mark.may_differ) as different,
        string_agg(mark.mark, ', ' order by mark.mark) filter (where mark.may_differ) as allowed
    from (select distinct dataset_id from wanted_dataset) as dataset
    left join (
        select dataset_id, bool_or(in_baseline) as in_baseline, bool_or(in_candidate) as in_candidate
        from scope
        group by dataset_id
    ) as scoped on scoped.dataset_id = dataset.dataset_id
    left join mark on mark.dataset_id = dataset.dataset_id
    where $baseline_run_id is not null
    group by dataset.dataset_id, scoped.in_baseline, scoped.in_candidate
),
-- One row per rule, dataset and approach, with what is known and why it cannot be decided.
measured as (
    select
        checked.*, wanted.dataset_id, wanted.approach, wanted.is_named,
        card.better, card.scale, card.direction, card.quantum, card.low, card.high,
        case when checked.is_paired and checked.rule <> 'coverage_drop_max' then change.n else candidate.n end as n,
        case when checked.is_paired and checked.rule <> 'coverage_drop_max' then change.eligible_n else candidate.eligible_n end
            as eligible_n,
        candidate.n as candidate_n, candidate.eligible_n as candidate_eligible_n, candidate.s as candidate_s,
        baseline.n as baseline_n, baseline.eligible_n as baseline_eligible_n,
        case when checked.is_paired then change.m else candidate.m end as m,
        case when checked.is_paired then change.se else candidate.se end as se,
        case when checked.is_paired then change.df else candidate.df end as df,
        case when checked.is_paired then change.units_n else candidate.units_n end as units_n,
        case when checked.is_paired then card.low - card.high else card.low end as least,
        case when checked.is_paired then card.high - card.low else card.high end as most,
        worst.worst * card.quantum as worst,
        change.n > 1 and worst.moved_n = 0 as is_identical,
        case
            when not coalesce(scope.in_candidate, false) then 'no_cells'
            when applicable.is_applicable is null then 'no_scores'
            when not applicable.is_applicable then 'not_applicable'
            when checked.is_paired and $baseline_run_id is null then 'no_baseline'
            when checked.is_paired and compared.reason is not null then compared.reason
            when checked.is_paired and not coalesce(scope.in_baseline, false) then 'not_in_baseline'
            when coalesce(candidate.eligible_n, 0) = 0 then 'no_scores'
            when checked.rule = 'min_coverage' then null
            when checked.rule = 'coverage_drop_max'
                then case when coalesce(baseline.eligible_n, 0) = 0 then 'not_in_baseline' end
            when candidate.n = 0 then 'no_scores'
            -- A check that says how much coverage it wants is judged by that rule, any other by the floor of the gate.
            when
                not checked.is_paired
                and not checked.has_coverage_rule
                and candidate.n < cast($coverage_floor as decimal(28, 12)) * candidate.eligible_n then 'coverage'
            when not checked.is_paired and checked.is_point then null
            when not checked.is_paired then
                case
                    when candidate.n = 1 or candidate.units_n = 1 then 'one_question'
                    when candidate.df is null and card.high is null then 'no_spread'
                end
            when coalesce(baseline.n, 0) = 0 then 'no_scores'
            when coalesce(change.n, 0) = 0 then 'no_shared_questions'
            when checked.rule = 'robust' then case when worst.worst is null then 'unbounded' end
            when change.n < cast($coverage_floor as decimal(28, 12)) * change.eligible_n then 'coverage'
            when change.n = 1 then 'one_question'
            when worst.moved_n > 0 and change.units_n = 1 then 'one_cluster'
            when worst.moved_n > 0 and change.df is null and card.high is null then 'no_spread'
        end as reason
    from wanted
    inner join checked on checked.number = wanted.number
    inner join card on card.metric = checked.metric
    left join scope on scope.dataset_id = wanted.dataset_id and scope.approach = wanted.approach
    left join applicable
        on applicable.dataset_id = wanted.dataset_id
        and applicable.approach = wanted.approach
        and applicable.metric = checked.metric
    left join compared on compared.dataset_id = wanted.dataset_id
    left join moment as candidate
        on candidate.side = 'candidate'
        and candidate.dataset_id = wanted.dataset_id
        and candidate.approach = wanted.approach
        and candidate.metric = checked.metric
    left join moment as baseline
        on baseline.side = 'baseline'
        and baseline.dataset_id = wanted.dataset_id
        and baseline.approach = wanted.approach
        and baseline.metric = checked.metric
    left join moment as change
        on change.side = 'change'
        and change.dataset_id = wanted.dataset_id
        and change.approach = wanted.approach
        and change.metric = checked.metric
    left join worst
        on worst.dataset_id = wanted.dataset_id
        and worst.approach = wanted.approach
        and worst.metric = checked.metric
),
tests as (
    select count(*) as tests_n
    from measured
    where
        is_required
        and reason is null
        and (rule in ('margin', 'better_than_baseline') or (rule in ('min_mean', 'max_mean') and not is_point))
),
level as (
    select
        $alpha / coalesce($looks_max, 1) as pass_alpha,
        case
            when $fail_correction = 'bonferroni' then $alpha / coalesce($looks_max, 1) / greatest(tests_n, 1)
            else $alpha / coalesce($looks_max, 1)
        end as fail_alpha
    from tests
),
-- Two limits on the side that lets a check pass and two on the side that lets it fail; identical changes need none.
limited as (
    select
        measured.*, level.pass_alpha, level.fail_alpha,
        case
            when reason is not null or (is_paired and is_identical) then null
            when df is not null then m - t_quantile(1 - pass_alpha, df) * se
            else least + (m - least) * power(pass_alpha, 1.0e0 / units_n)
        end as pass_lower,
        case
            when reason is not null or (is_paired and is_identical) then null
            when df is not null then m - t_quantile(1 - fail_alpha, df) * se
            else least + (m - least) * power(fail_alpha, 1.0e0 / units_n)
        end as fail_lower,
        case
            when reason is not null or (is_paired and is_identical) then null
            when df is not null then m + t_quantile(1 - pass_alpha, df) * se
            else most - (most - m) * power(pass_alpha, 1.0e0 / units_n)
        end as pass_upper,
        case
            when reason is not null or (is_paired and is_identical) then null
            when df is not null then m + t_quantile(1 - fail_alpha, df) * se
            else most - (most - m) * power(fail_alpha, 1.0e0 / units_n)
        end as fail_upper,
        case
            when rule = 'margin' or rule = 'robust'
                then case when scale = 'log' then ln(1 + cast(value as double)) else cast(value as double) end
            when rule in ('min_mean', 'max_mean') and scale = 'log' then ln(nullif(cast(value as double), 0))
            else cast(value as double)
        end as bar
    from measured
    cross join level
),
decided as (
    select
        limited.*,
        case
            when reason = 'not_applicable' and not is_named then 'not_applicable'
            when reason in ('not_comparable', 'no_baseline') and is_paired then 'not_run'
            when rule = 'robust' and (reason is not null or worst < -bar) then 'not_robust'
            when reason is not null then 'inconclusive'
            when rule = 'robust' then 'pass'
            when rule = 'min_coverage'
                then case when candidate_n >= value * candidate_eligible_n then 'pass' else 'fail' end
            when rule = 'coverage_drop_max'
                then case
                    when baseline_n * candidate_eligible_n - candidate_n * baseline_eligible_n
                        <= value * baseline_eligible_n * candidate_eligible_n then 'pass'
                    else 'fail'
                end
            when rule = 'min_mean' and is_point and scale = 'raw'
                then case
                    when cast(candidate_s as decimal(28, 0)) * cast(quantum as decimal(9, 6)) >= value * candidate_n then 'pass'
                    else 'fail'
                end
            when rule = 'max_mean' and is_point and scale = 'raw'
                then case
                    when cast(candidate_s as decimal(28, 0)) * cast(quantum as decimal(9, 6)) <= value * candidate_n then 'pass'
                    else 'fail'
                end
            when rule = 'min_mean' and is_point then case when m >= bar then 'pass' else 'fail' end
            when rule = 'max_mean' and is_point then case when m <= bar then 'pass' else 'fail' end
            when rule = 'min_mean' and pass_lower >= bar then 'pass'
            when rule = 'min_mean' and fail_upper < bar then 'fail'
            when rule = 'max_mean' and pass_upper <= bar then 'pass'
            when rule = 'max_mean' and fail_lower > bar then 'fail'
            when rule = 'margin' and (is_identical or pass_lower >= -bar) then 'pass'
            when rule = 'margin' and fail_upper < -bar then 'fail'
            when rule = 'better_than_baseline' and pass_lower > 0 then 'pass'
            when rule = 'better_than_baseline' and (is_identical or fail_upper <= 0) then 'fail'
            else 'inconclusive'
        end as verdict,
        case
            when rule = 'max_mean' then fail_lower
            when rule = 'robust' then worst
            else pass_lower
        end as lower_limit,
        case
            when rule = 'max_mean' then pass_upper
            else fail_upper
        end as upper_limit
    from limited
),
shaped as (
    select
        number, check_name, rule,
        is_required and rule <> 'robust' and verdict <> 'not_applicable' as is_required,
        dataset_id, approach, metric, verdict, reason,
        case
            when reason is null and rule in ('min_mean', 'max_mean') and is_point then 'point_rule'
            when reason is not null or rule not in ('margin', 'better_than_baseline') then null
            when is_identical then 'identical'
            when rule = 'margin' and verdict = 'pass' and fail_upper < 0 then 'small_real_decline'
            when rule = 'margin' and pass_lower > 0 then 'clear_gain'
        end as note,
        cast(null as varchar) as marks,
        scale, better, n as scored_n, eligible_n,
        case
            when rule in ('min_coverage', 'coverage_drop_max')
                then cast(candidate_n as double) / nullif(candidate_eligible_n, 0)
            when rule in ('margin', 'better_than_baseline', 'robust') and scale = 'log' then exp(direction * m)
            when scale = 'log' then exp(m)
            else m
        end as observed,
        case
            when rule in ('min_coverage', 'coverage_drop_max') then null
            when is_paired and scale = 'log' then exp(direction * case when direction < 0 then upper_limit else lower_limit end)
            when scale = 'log' then exp(lower_limit)
            when lower_limit is not null then greatest(lower_limit, least)
        end as lower,
        case
            when rule in ('min_coverage', 'coverage_drop_max') then null
            when is_paired and scale = 'log' then exp(direction * case when direction < 0 then lower_limit else upper_limit end)
            when scale = 'log' then exp(upper_limit)
            when upper_limit is not null then least(upper_limit, most)
        end as upper,
        case
            when rule = 'coverage_drop_max' then cast(baseline_n as double) / nullif(baseline_eligible_n, 0)
        end as baseline_coverage,
        cast(value as double) as limit_value
    from decided
),
-- What is asked before any check of the manifest.
first as (
    select
        -1 as number, 'looks' as check_name, 'looks' as rule, true as is_required,
        cast(null as varchar) as dataset_id,
        case when looks.looks_n <= $looks_max then 'pass' else 'inconclusive' end as verdict,
        case when looks.looks_n > $looks_max then 'too_many_looks' end as reason,
        cast(null as varchar) as marks
    from looks
    where $looks_max is not null
    union all
    select
        0, 'comparable', 'comparable', true, dataset_id,
        case when reason is null then 'pass' else 'inconclusive' end,
        reason,
        case
            when reason in ('not_in_baseline', 'no_cells') then null
            when different is not null then different
            when allowed is not null then concat(allowed, ' (may differ)')
        end
    from compared
),
every_row as (
    select
        number, check_name, rule, is_required, dataset_id, cast(null as varchar) as approach, cast(null as varchar) as metric,
        verdict, reason, cast(null as varchar) as note, marks, cast(null as varchar) as scale, cast(null as varchar) as better,
        cast(null as bigint) as scored_n, cast(null as bigint) as eligible_n, cast(null as double) as observed,
        cast(null as double) as lower, cast(null as double) as upper, cast(null as double) as baseline_coverage,
        cast(null as double) as limit_value
    from first
    union all
    select
        number, check_name, rule, is_required, dataset_id, approach, metric, verdict, reason, note, marks, scale, better,
        scored_n, eligible_n, observed, lower, upper, baseline_coverage, limit_value
    from shaped
),
-- A check against the baseline that was not run is undecided; so is a gate in which nothing counts.
counted as (
    select
        count(*) filter (where is_required and verdict = 'pass') as passed_n,
        count(*) filter (where is_required and verdict = 'fail') as failed_n,
        count(*) filter (where is_required and verdict in ('inconclusive', 'not_run')) as inconclusive_n,
        count(*) filter (where not is_required) as advisory_n,
        count(*) filter (where is_required and number > 0 and verdict = 'pass') as passed_checks_n
    from every_row
)
select
    row_number() over (
        order by
            case
                when every_row.number <= 0 then 1
                when every_row.is_required and every_row.verdict = 'fail' then 2
                when every_row.is_required and every_row.verdict in ('inconclusive', 'not_run') then 3
                else 4
            end,
            every_row.number, every_row.dataset_id, every_row.approach
    ) as position,
    every_row.check_name,
    every_row.rule,
    every_row.is_required,
    every_row.dataset_id,
    every_row.approach,
    every_row.metric,
    scorer.measured_by,
    every_row.verdict,
    every_row.reason,
    every_row.note,
    every_row.marks,
    every_row.scale,
    every_row.better,
    every_row.scored_n,
    every_row.eligible_n,
    every_row.observed,
    every_row.lower,
    every_row.upper,
    every_row.baseline_coverage,
    every_row.limit_value,
    level.pass_alpha,
    level.fail_alpha,
    case
        when counted.failed_n > 0 then 'fail'
        when counted.inconclusive_n > 0 or counted.passed_checks_n = 0 then 'inconclusive'
        else 'pass'
    end as total_verdict,
    counted.passed_n,
    counted.failed_n,
    counted.inconclusive_n,
    counted.advisory_n,
    looks.attempt_n,
    looks.looks_n,
    cast($looks_max as bigint) as looks_max,
    1 - power(1 - level.pass_alpha, looks.looks_n) as false_pass_ratio,
    evidence.digest as evidence
from every_row
cross join counted
cross join level
cross join looks
cross join evidence
left join scorer on scorer.metric = every_row.metric
order by position
