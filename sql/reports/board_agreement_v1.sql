-- name: reports/board_agreement_v1
-- purpose: Compares every two judges on the answers that both scored: how often they agree to the digit, and how far apart
--   they are. Agreement says nothing about being right.
-- grain: row_name, column_name
-- reads: staging.panel_answers_once
-- param: run_id (varchar, default null): only this run; null takes all together
-- column: row_name (varchar): a judge
-- column: row_anchor (varchar): always null: judges have no place of their own
-- column: column_name (varchar): another judge
-- column: both_n (bigint, answers): answers that both scored
-- column: distance (double, 0..4): mean absolute difference
-- column: share (double, 0..1): 1 less the distance as a share of the scale
-- column: value_text (varchar): the distance
-- column: equal_text (varchar): answers with the same score, as a share
-- column: reason (varchar): why there is nothing to compare
-- order: row_name, column_name
-- nulls: distance, share, value_text and equal_text are null without shared answers; reason is null when there are some
-- since: 0.1.0
with
answer as (
    select once.*
    from staging.panel_answers_once as once
    where $run_id is null or once.run_id in ($run_id, '')
),
judge as (
    select distinct answer.judge
    from answer
),
shared as (
    select
        one.judge as row_name,
        other.judge as column_name,
        count(*) as both_n,
        count(*) filter (where one.score = other.score) as equal_n,
        exact_mean(abs(cast(one.score as double) - cast(other.score as double))) as distance
    from answer as one
    inner join answer as other
        on other.run_id = one.run_id
        and other.dataset_id is not distinct from one.dataset_id
        and other.question_id = one.question_id
        and other.approach = one.approach
    where one.score is not null and other.score is not null
    group by one.judge, other.judge
)
select
    judge.judge as row_name,
    cast(null as varchar) as row_anchor,
    other.judge as column_name,
    coalesce(shared.both_n, 0) as both_n,
    shared.distance,
    1 - shared.distance / 4 as share,
    fixed2(shared.distance) as value_text,
    case when shared.both_n > 0 then share_text(shared.equal_n, shared.both_n) end as equal_text,
    case when shared.both_n is null then 'no answer was scored by both' end as reason
from judge
cross join judge as other
left join shared on shared.row_name = judge.judge and shared.column_name = other.judge
order by judge.judge, other.judge
