-- name: reports/board_judges_v1
-- purpose: Says of each judge how many answers it scored, how high, and how much milder than the others on the same answers.
-- grain: judge
-- reads: staging.panel_answers_once
-- param: run_id (varchar, default null): only this run; null takes all together
-- column: judge (varchar): the judge
-- column: answers_n (bigint, answers): answers it should have scored
-- column: scored_n (bigint, answers): answers it scored
-- column: coverage (double, 0..1): scored per answer
-- column: mean (double, 1..5): mean of its scores
-- column: mean_text (varchar): the same
-- column: minus_others (double): mean of its score less the mean of the other judges' scores of the same answer
-- column: minus_text (varchar): the same, with its sign
-- column: reason (varchar): why there is no comparison
-- order: judge
-- nulls: means are null without scores; minus_others is null with a reason
-- since: 0.1.0
with
answer as (
    select once.*
    from staging.panel_answers_once as once
    where $run_id is null or once.run_id in ($run_id, '')
),
compared as (
    select
        answer.*,
        (sum(cast(answer.score as decimal(38, 18))) over of_answer - cast(answer.score as decimal(38, 18)))
            / nullif(count(answer.score) over of_answer - 1, 0) as others
    from answer
    where answer.score is not null
    window of_answer as (
        partition by answer.run_id, answer.dataset_id, answer.question_id, answer.approach
    )
),
difference as (
    select compared.judge, exact_mean(cast(compared.score as double) - cast(compared.others as double)) as minus_others
    from compared
    where compared.others is not null
    group by compared.judge
),
counted as (
    select
        answer.judge,
        count(*) as answers_n,
        count(answer.score) as scored_n,
        exact_mean(cast(answer.score as double)) as mean
    from answer
    group by answer.judge
)
select
    counted.judge,
    counted.answers_n,
    counted.scored_n,
    cast(counted.scored_n as double) / counted.answers_n as coverage,
    counted.mean,
    fixed2(counted.mean) as mean_text,
    difference.minus_others,
    case
        when difference.minus_others >= 0 then concat('+', fixed2(difference.minus_others))
        else fixed2(difference.minus_others)
    end as minus_text,
    case
        when counted.scored_n = 0 then 'it scored nothing'
        when difference.judge is null then 'no other judge scored the same answers'
    end as reason
from counted
left join difference on difference.judge = counted.judge
order by counted.judge
