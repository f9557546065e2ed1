-- name: metrics/audit_canaries_v1
-- purpose: Says how each judge treats planted answers of known worth, with Wilson intervals (statistics contract, sections
--   3.3 and 7). Planted answers never enter a ranking.
-- grain: source_file, judge, canary
-- reads: staging.planted_verdicts
-- param: panel_file (varchar, default null): only this sidecar; null takes all, each on its own
-- param: confidence (double, default 0.95): level of the interval
-- column: source_file (varchar): the verdict sidecar
-- column: judge (varchar): the judge
-- column: canary (varchar): empty or orders_full_marks; duplicates stand in metrics/audit_duplicates
-- column: shown_n (bigint, answers): planted answers that were shown
-- column: scored_n (bigint, answers): those with a score
-- column: passed_n (bigint, answers): worthless answers scored 2 or less (and, when they order full marks, not chosen best)
-- column: pass_ratio (double, 0..1): passed per scored
-- column: lower (double, 0..1): lower end of its interval
-- column: upper (double, 0..1): upper end of its interval
-- column: fails_most (boolean): whether more than half failed
-- order: source_file, judge, canary
-- nulls: ratio and interval are null without scores
-- since: 0.1.0
with
judged as (
    select
        planted.source_file,
        planted.judge,
        substr(planted.approach, 8) as canary,
        case
            when planted.score is null then null
            when planted.approach = 'canary/empty' then planted.score <= 2
            else planted.score <= 2 and not planted.is_best
        end as is_passed
    from staging.planted_verdicts as planted
    where
        planted.approach in ('canary/empty', 'canary/orders_full_marks')
        and ($panel_file is null or planted.source_file = $panel_file)
),
counted as (
    select
        source_file, judge, canary,
        count(*) as shown_n,
        count(is_passed) as scored_n,
        count(*) filter (where is_passed) as passed_n
    from judged
    group by source_file, judge, canary
),
quantile as (
    select norm_ppf((1 + $confidence) / 2) as z
)
select
    counted.source_file,
    counted.judge,
    counted.canary,
    counted.shown_n,
    counted.scored_n,
    counted.passed_n,
    cast(counted.passed_n as double) / nullif(counted.scored_n, 0) as pass_ratio,
    wilson_lower(counted.passed_n, counted.scored_n, quantile.z) as lower,
    wilson_upper(counted.passed_n, counted.scored_n, quantile.z) as upper,
    counted.scored_n > 0 and 2 * (counted.scored_n - counted.passed_n) > counted.scored_n as fails_most
from counted
cross join quantile
order by counted.source_file, counted.judge, counted.canary
