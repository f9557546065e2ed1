-- name: reports/ladder_v1
-- purpose: Lists the dataset ladder: every entry of the catalogue by complexity, measured or not.
-- grain: position
-- reads: site.dataset, site.snapshot
-- column: position (bigint, 1 or more): place on the ladder
-- column: dataset_id (varchar): the dataset
-- column: complexity_level (bigint, 1 or more): how relational it is
-- column: status (varchar): measured or candidate
-- column: is_measured (boolean): whether results are published
-- column: has_evaluation (boolean): whether a base evaluation is published
-- column: ingestion_profile (varchar): how it is ingested
-- column: graph_nature (varchar): what connects its documents
-- column: questions_file (varchar): its question file, from the folder of the page
-- column: questions_linked (boolean): whether that path may be a link
-- column: source_url (varchar): where its documents come from
-- column: source_linked (boolean): whether that address may be a link
-- order: position
-- nulls: graph_nature, questions_file and source_url are null when the catalogue has none
-- since: 0.1.0
select
    row_number() over (order by dataset.complexity_level, dataset.position) as position,
    dataset.dataset_id,
    dataset.complexity_level,
    coalesce(dataset.status, 'candidate') as status,
    coalesce(dataset.status, '') = 'measured' as is_measured,
    evaluation.path is not null as has_evaluation,
    coalesce(dataset.ingestion_profile, dataset.dataset_id) as ingestion_profile,
    dataset.graph_nature,
    case when dataset.questions_file is not null then concat('../', dataset.questions_file) end as questions_file,
    coalesce(is_plain_path(dataset.questions_file), false) as questions_linked,
    dataset.source_url,
    coalesce(is_web_address(dataset.source_url), false) as source_linked
from site.dataset as dataset
left join site.snapshot as evaluation
    on evaluation.position = dataset.position and evaluation.tier = 'base' and evaluation.kind = 'evaluation'
order by position
