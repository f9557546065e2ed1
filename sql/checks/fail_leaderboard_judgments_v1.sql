-- name: checks/fail_leaderboard_judgments_v1
-- purpose: Finds judgments that belong to another dataset, score other approaches,
--   leave the scale of 1 to 5,
--   or whose means and winners do not follow from their scores (evaluation contract 7.1, 9).
-- grain: one finding
-- reads: site.problem, site.dataset, site.approach, site.panel,
--   site.panel_question, site.panel_mean, site.panel_score
-- column: dataset_id (varchar): the dataset
-- column: tier (varchar): base or flavors
-- column: message (varchar): what is wrong, with what is missing or unexpected
-- order: dataset_id, tier, message
-- nulls: never
-- since: 0.1.0
with
question as (
    select
        found.dataset_id,
        found.tier,
        found.position,
        found.observed_winner,
        concat('dataset `', found.dataset_id, '`, ', found.tier, ' tier, question `', found.question_id, '`: ') as place
    from site.panel_question as found
    inner join site.dataset as dataset on dataset.dataset_id = found.dataset_id and dataset.status = 'measured'
),
-- One row for each judge that gave scores, with how many of the configured approaches it scored.
verdict as (
    select
        score.dataset_id,
        score.tier,
        score.position,
        score.judge,
        count(*) as scores_n,
        count(listed.approach) as known_n
    from site.panel_score as score
    left join site.approach as listed on listed.tier = score.tier and listed.approach = score.approach
    group by score.dataset_id, score.tier, score.position, score.judge
),
mean_set as (
    select mean.dataset_id, mean.tier, mean.position, count(*) as means_n, count(listed.approach) as known_n
    from site.panel_mean as mean
    left join site.approach as listed on listed.tier = mean.tier and listed.approach = mean.approach
    group by mean.dataset_id, mean.tier, mean.position
),
tier_size as (
    select approach.tier, count(*) as approaches_n
    from site.approach as approach
    group by approach.tier
),
score_mean as (
    select
        score.dataset_id,
        score.tier,
        score.position,
        score.approach,
        r2(exact_mean(score.score)) as mean
    from site.panel_score as score
    group by score.dataset_id, score.tier, score.position, score.approach
),
top_mean as (
    select mean.dataset_id, mean.tier, mean.position, max(mean.mean) as mean
    from site.panel_mean as mean
    group by mean.dataset_id, mean.tier, mean.position
),
finding as (
    select
        problem.dataset_id,
        problem.tier,
        concat('dataset `', problem.dataset_id, '`, ', problem.tier, ' tier, ', problem.place, ': ', problem.message)
            as message
    from site.problem as problem
    inner join site.dataset as dataset on dataset.dataset_id = problem.dataset_id and dataset.status = 'measured'
    where problem.step = 9
    union all
    select
        panel.dataset_id,
        panel.tier,
        concat(
            'the ',
            panel.tier,
            ' judgments of `',
            panel.dataset_id,
            '` are for the dataset `',
            coalesce(panel.found_dataset_id, 'none'),
            '`'
        ) as message
    from site.panel as panel
    inner join site.dataset as dataset on dataset.dataset_id = panel.dataset_id and dataset.status = 'measured'
    where panel.found_dataset_id is distinct from panel.dataset_id
    union all
    select
        question.dataset_id,
        question.tier,
        concat(
            question.place,
            'judge `',
            verdict.judge,
            '` scores ',
            cast(verdict.known_n as varchar),
            ' of the ',
            cast(tier_size.approaches_n as varchar),
            ' configured approaches and ',
            cast(verdict.scores_n - verdict.known_n as varchar),
            ' unexpected ones'
        ) as message
    from question
    inner join verdict
        on verdict.dataset_id = question.dataset_id
        and verdict.tier = question.tier
        and verdict.position = question.position
    inner join tier_size on tier_size.tier = question.tier
    where verdict.known_n <> tier_size.approaches_n or verdict.scores_n <> verdict.known_n
    union all
    select
        question.dataset_id,
        question.tier,
        concat(
            question.place,
            'judge `',
            score.judge,
            '` scores `',
            score.approach,
            '` ',
            cast(score.score as varchar),
            ', outside 1 to 5'
        ) as message
    from question
    inner join site.panel_score as score
        on score.dataset_id = question.dataset_id
        and score.tier = question.tier
        and score.position = question.position
    where score.score < 1 or score.score > 5
    union all
    select
        question.dataset_id,
        question.tier,
        concat(
            question.place,
            'the means cover ',
            cast(mean_set.known_n as varchar),
            ' of the ',
            cast(tier_size.approaches_n as varchar),
            ' configured approaches and ',
            cast(mean_set.means_n - mean_set.known_n as varchar),
            ' unexpected ones'
        ) as message
    from question
    inner join mean_set
        on mean_set.dataset_id = question.dataset_id
        and mean_set.tier = question.tier
        and mean_set.position = question.position
    inner join tier_size on tier_size.tier = question.tier
    where mean_set.known_n <> tier_size.approaches_n or mean_set.means_n <> mean_set.known_n
    union all
    select
        question.dataset_id,
        question.tier,
        concat(
            question.place, 'the mean of `', mean.approach, '` is ', cast(mean.mean as varchar), ', outside 1 to 5'
        ) as message
    from question
    inner join site.panel_mean as mean
        on mean.dataset_id = question.dataset_id
        and mean.tier = question.tier
        and mean.position = question.position
    where mean.mean < 1 or mean.mean > 5
    union all
    select
        question.dataset_id,
        question.tier,
        concat(
            question.place,
            'the mean of `',
            coalesce(mean.approach, score_mean.approach),
            '` is ',
            coalesce(cast(mean.mean as varchar), 'missing'),
            ', but its scores give ',
            coalesce(cast(score_mean.mean as varchar), 'none')
        ) as message
    from (
        select dataset_id, tier, position, approach, mean
        from site.panel_mean
    ) as mean
    full outer join score_mean
        on score_mean.dataset_id = mean.dataset_id
        and score_mean.tier = mean.tier
        and score_mean.position = mean.position
        and score_mean.approach = mean.approach
    inner join question
        on question.dataset_id = coalesce(mean.dataset_id, score_mean.dataset_id)
        and question.tier = coalesce(mean.tier, score_mean.tier)
        and question.position = coalesce(mean.position, score_mean.position)
    where mean.mean is distinct from score_mean.mean
    union all
    select
        question.dataset_id,
        question.tier,
        concat(
            question.place,
            'the winner `',
            question.observed_winner,
            '` has the mean ',
            coalesce(cast(mean.mean as varchar), 'none'),
            ', the highest is ',
            coalesce(cast(top_mean.mean as varchar), 'none')
        ) as message
    from question
    left join site.panel_mean as mean
        on mean.dataset_id = question.dataset_id
        and mean.tier = question.tier
        and mean.position = question.position
        and mean.approach = question.observed_winner
    left join top_mean
        on top_mean.dataset_id = question.dataset_id
        and top_mean.tier = question.tier
        and top_mean.position = question.position
    where question.observed_winner is not null and (mean.mean is null or mean.mean < top_mean.mean)
)

select finding.dataset_id, finding.tier, finding.message
from finding
order by finding.dataset_id, finding.tier, finding.message
