-- name: reports/site_models_v1
-- purpose: Names the models behind the published results: judges and evaluators as the files of measured datasets name
--   them, generation and LightRAG models as the project names them today (evaluation contract 7.2).
-- grain: kind, model
-- reads: site.dataset, site.panel_judge, site.evaluator, site.model
-- column: kind (varchar): judge, evaluator, generation or lightrag
-- column: model (varchar): one of its models
-- order: kind, model
-- nulls: model is null when none is recorded
-- since: 0.1.0
with
named as (
    select distinct 'judge' as kind, panel_judge.judge as model
    from site.panel_judge as panel_judge
    inner join site.dataset as dataset on dataset.dataset_id = panel_judge.dataset_id and dataset.status = 'measured'
    union
    select distinct 'evaluator' as kind, evaluator.model
    from site.evaluator as evaluator
    inner join site.dataset as dataset on dataset.dataset_id = evaluator.dataset_id and dataset.status = 'measured'
    union
    select distinct model.part as kind, model.model
    from site.model as model
)
select kinds.kind, named.model
from (values ('evaluator'), ('generation'), ('judge'), ('lightrag')) as kinds (kind)
left join named on named.kind = kinds.kind
order by kinds.kind, named.model
