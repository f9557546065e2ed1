-- name: reports/ladder_outcome_v1
-- purpose: Shows the published rungs of the ladder from the plainest to the most relational dataset: how much was
--   answered and judged, and who leads.
-- grain: dataset_id, tier
-- reads: site.dataset, site.snapshot, site.evaluation_approach, site.panel_judge, site.panel_question, site.panel_mean,
--   staging.panel_scores
-- column: complexity_level (bigint, 1 or more): how relational the dataset is
-- column: dataset_id (varchar): the dataset
-- column: tier (varchar): base or flavors
-- column: ok_n (bigint, cells): cells that ended well
-- column: cells_n (bigint, cells): cells that were tried
-- column: judged_n (bigint, questions): questions with means
-- column: questions_n (bigint, questions): questions the panel was shown
-- column: leaders (varchar): the approaches with the highest judge score, in order of name
-- column: score_text (varchar, 1..5): that score
-- column: is_heuristic (boolean): whether a judge inside this program gave that score
-- column: path (varchar): the published evaluation
-- order: complexity_level, dataset_id, tier
-- nulls: ok_n and cells_n are null when the evaluation cannot be read, leaders and score_text when nobody judged
-- since: 0.1.0
with
cell_count as (
    select
        approach.dataset_id,
        approach.tier,
        cast(sum(approach.successful) as bigint) as ok_n,
        cast(sum(approach.attempted) as bigint) as cells_n
    from site.evaluation_approach as approach
    group by approach.dataset_id, approach.tier
),
judged_question as (
    select distinct mean.dataset_id, mean.tier, mean.position
    from site.panel_mean as mean
),
question_count as (
    select
        question.dataset_id,
        question.tier,
        count(*) as questions_n,
        count(judged.position) as judged_n
    from site.panel_question as question
    left join judged_question as judged
        on judged.dataset_id = question.dataset_id
        and judged.tier = question.tier
        and judged.position = question.position
    group by question.dataset_id, question.tier
),
panel_kind as (
    select judge.dataset_id, judge.tier, count(*) filter (where judge.judge like 'builtin/%') > 0 as is_heuristic
    from site.panel_judge as judge
    group by judge.dataset_id, judge.tier
),
leader as (
    select
        scores.dataset_id,
        scores.tier,
        string_agg(scores.approach, ', ' order by scores.approach) as leaders,
        max(scores.score) as score
    from staging.panel_scores as scores
    where scores.rank = 1
    group by scores.dataset_id, scores.tier
)

select
    dataset.complexity_level,
    dataset.dataset_id,
    snapshot.tier,
    cell_count.ok_n,
    cell_count.cells_n,
    coalesce(question_count.judged_n, 0) as judged_n,
    coalesce(question_count.questions_n, 0) as questions_n,
    leader.leaders,
    fixed2(leader.score) as score_text,
    coalesce(panel_kind.is_heuristic, false) as is_heuristic,
    snapshot.path
from site.snapshot as snapshot
inner join site.dataset as dataset on dataset.position = snapshot.position and dataset.status = 'measured'
left join cell_count on cell_count.dataset_id = snapshot.dataset_id and cell_count.tier = snapshot.tier
left join question_count on question_count.dataset_id = snapshot.dataset_id and question_count.tier = snapshot.tier
left join leader on leader.dataset_id = snapshot.dataset_id and leader.tier = snapshot.tier
left join panel_kind on panel_kind.dataset_id = snapshot.dataset_id and panel_kind.tier = snapshot.tier
where snapshot.kind = 'evaluation' and snapshot.path is not null
order by dataset.complexity_level, dataset.dataset_id, snapshot.tier
