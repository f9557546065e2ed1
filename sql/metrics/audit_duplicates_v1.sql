-- name: metrics/audit_duplicates_v1
-- purpose: Says whether a judge scores the same text twice in one prompt alike: a planted duplicate against the answer it
--   repeats, the first answered one in the stable order (statistics contract, sections 3.3 and 7). Never ranked.
-- grain: source_file, judge
-- reads: staging.planted_verdicts
-- param: panel_file (varchar, default null): only this sidecar; null takes all, each on its own
-- param: confidence (double, default 0.95): level of the interval
-- column: source_file (varchar): the verdict sidecar
-- column: judge (varchar): the judge
-- column: shown_n (bigint, answers): duplicates that were shown
-- column: compared_n (bigint, answers): those with a score, like the answer they repeat
-- column: equal_n (bigint, answers): those with the same score
-- column: equal_ratio (double, 0..1): equal per compared
-- column: lower (double, 0..1): lower end of its interval
-- column: upper (double, 0..1): upper end of its interval
-- column: mean_distance (double, 0..4): mean absolute difference of the two scores
-- column: later_minus_earlier (double): mean score of the copy further down less that of the other; a position effect
-- column: fails_most (boolean): whether more than half differ
-- order: source_file, judge
-- nulls: ratio, interval and means are null when nothing is compared; the repeated answer is found by the length of stored
--   answers, so nothing is compared when the answers are not in this database
-- since: 0.1.0
with
shown as (
    select planted.*
    from staging.planted_verdicts as planted
    where $panel_file is null or planted.source_file = $panel_file
),
answered as (
    select
        shown.source_file, shown.judge, shown.question_id, shown.position, shown.score,
        row_number() over (
            partition by shown.source_file, shown.judge, shown.question_id
            order by sha1(concat(shown.question_id, shown.approach)), shown.approach
        ) as place
    from shown
    where not shown.is_planted and shown.characters_n > 0
),
pair as (
    select
        copy.source_file,
        copy.judge,
        copy.score - original.score as difference,
        case when copy.position > original.position then 1 else -1 end as direction
    from shown as copy
    left join answered as original
        on original.source_file = copy.source_file
        and original.judge = copy.judge
        and original.question_id = copy.question_id
        and original.place = 1
    where copy.approach = 'canary/duplicate'
),
counted as (
    select
        source_file, judge,
        count(*) as shown_n,
        count(difference) as compared_n,
        count(*) filter (where difference = 0) as equal_n,
        exact_mean(abs(difference)) as mean_distance,
        exact_mean(difference * direction) as later_minus_earlier
    from pair
    group by source_file, judge
),
quantile as (
    select norm_ppf((1 + $confidence) / 2) as z
)
select
    counted.source_file,
    counted.judge,
    counted.shown_n,
    counted.compared_n,
    counted.equal_n,
    cast(counted.equal_n as double) / nullif(counted.compared_n, 0) as equal_ratio,
    wilson_lower(counted.equal_n, counted.compared_n, quantile.z) as lower,
    wilson_upper(counted.equal_n, counted.compared_n, quantile.z) as upper,
    counted.mean_distance,
    counted.later_minus_earlier,
    counted.compared_n > 0 and 2 * (counted.compared_n - counted.equal_n) > counted.compared_n as fails_most
from counted
cross join quantile
order by counted.source_file, counted.judge
