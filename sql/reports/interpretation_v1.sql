-- name: reports/interpretation_v1
-- purpose: States what the judge rankings show and nothing else: sentences by kind, with their names and numbers
--   (evaluation contract 7.3, 6).
-- grain: place
-- reads: site.dataset, site.approach, site.panel, site.panel_question, staging.panel_scores
-- column: place (bigint, 1 or more): place among the sentences
-- column: kind (varchar): rungs, leader, graph_leads, graph_never_leads, flavor_last or base_last
-- column: tier (varchar): base or flavors
-- column: dataset_id (varchar): the dataset
-- column: names (varchar): approaches or datasets the sentence is about, by comma
-- column: value_text (varchar): their score
-- column: number_a (bigint): a count of the sentence
-- column: number_b (bigint): another count of the sentence
-- column: is_base (boolean): whether the approach is a base approach
-- order: place
-- nulls: columns that a kind does not need are null
-- since: 0.1.0
with
rungs as (
    select
        count(*) filter (where dataset.status = 'measured') as measured_n,
        count(*) as datasets_n
    from site.dataset as dataset
),
leader as (
    select
        scores.tier,
        scores.dataset_id,
        scores.complexity_level,
        string_agg(scores.approach, ', ' order by scores.approach) as names,
        min(fixed2(scores.score)) as value_text,
        count(*) as leaders_n,
        max(case when scores.approach like 'graph-rag%' then 1 else 0 end) as graph_leads
    from staging.panel_scores as scores
    where scores.rank = 1
    group by scores.tier, scores.dataset_id, scores.complexity_level
),
graph_place as (
    select
        scores.tier,
        scores.dataset_id,
        max(case when scores.approach like 'graph-rag%' then 1 else 0 end) as has_graph
    from staging.panel_scores as scores
    group by scores.tier, scores.dataset_id
),
graph_dataset as (
    select distinct leader.dataset_id, leader.complexity_level
    from leader
    where leader.graph_leads = 1
),
graph_summary as (
    select
        (
            select string_agg(graph_dataset.dataset_id, ', ' order by graph_dataset.complexity_level, graph_dataset.dataset_id)
            from graph_dataset
        ) as led_names,
        (select count(*) from graph_place) as snapshots_n,
        (select count(*) from graph_place where graph_place.has_graph = 1) as with_graph_n
),
-- The one approach that is last, alone, on every dataset of its tier.
last_everywhere as (
    select scores.tier, scores.approach, count(*) as datasets_n
    from staging.panel_scores as scores
    where scores.rank_from_last = 1 and scores.tied_n = 1 and scores.approaches_n > 1
    group by scores.tier, scores.approach
    having count(*) = (
        select count(distinct other.dataset_id) from staging.panel_scores as other where other.tier = scores.tier
    )
),
fast_win as (
    select count(*) as wins_n
    from site.panel_question as question
    inner join site.dataset as dataset on dataset.dataset_id = question.dataset_id and dataset.status = 'measured'
    where question.tier = 'flavors' and question.observed_winner = 'graph-rag-fast'
),
sentence as (
    select
        1 as part,
        0 as level,
        'rungs' as kind,
        cast(null as varchar) as tier,
        cast(null as varchar) as dataset_id,
        cast(null as varchar) as names,
        cast(null as varchar) as value_text,
        rungs.measured_n as number_a,
        rungs.datasets_n as number_b,
        cast(null as boolean) as is_base
    from rungs
    union all
    select
        2 as part,
        leader.complexity_level as level,
        'leader' as kind,
        leader.tier,
        leader.dataset_id,
        leader.names,
        leader.value_text,
        leader.leaders_n as number_a,
        null as number_b,
        null as is_base
    from leader
    union all
    select
        3 as part,
        0 as level,
        case when graph_summary.led_names is not null then 'graph_leads' else 'graph_never_leads' end as kind,
        null as tier,
        null as dataset_id,
        graph_summary.led_names as names,
        null as value_text,
        graph_summary.snapshots_n as number_a,
        null as number_b,
        null as is_base
    from graph_summary
    where
        graph_summary.led_names is not null
        or (graph_summary.snapshots_n > 0 and graph_summary.with_graph_n = graph_summary.snapshots_n)
    union all
    select
        4 as part,
        0 as level,
        case when last_everywhere.tier = 'flavors' then 'flavor_last' else 'base_last' end as kind,
        last_everywhere.tier,
        null as dataset_id,
        last_everywhere.approach as names,
        null as value_text,
        last_everywhere.datasets_n as number_a,
        case
            when last_everywhere.tier = 'flavors' and last_everywhere.approach = 'graph-rag-wide' then fast_win.wins_n
        end as number_b,
        base.approach is not null as is_base
    from last_everywhere
    cross join fast_win
    left join site.approach as base on base.tier = 'base' and base.approach = last_everywhere.approach
)
select
    row_number() over (
        order by sentence.part, sentence.tier, sentence.level, sentence.dataset_id, sentence.kind, sentence.names
    ) as place,
    sentence.kind,
    sentence.tier,
    sentence.dataset_id,
    sentence.names,
    sentence.value_text,
    sentence.number_a,
    sentence.number_b,
    sentence.is_base
from sentence
order by place
