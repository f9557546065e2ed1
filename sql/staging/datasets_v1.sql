-- name: staging/datasets_v1
-- purpose: Creates the view `datasets`: the datasets that rows exist for.
-- grain: dataset_id
-- reads: cells
-- order: none
-- nulls: label is null when no row carries one
-- since: 0.1.0
create or replace view datasets as
select
    dataset_id,
    min(dataset_label) as label,
    min(complexity_level) as complexity_level,
    count(distinct question_id) as questions_n,
    count(distinct approach) as approaches_n,
    count(distinct run_id) as runs_n,
    count(*) as cells_n
from cells
group by dataset_id;

comment on view datasets is 'One dataset that rows exist for.';
comment on column datasets.dataset_id is 'Names the dataset.';
comment on column datasets.label is 'Its name as people read it; the first by name when rows disagree.';
comment on column datasets.complexity_level is 'How relational it is; the lowest when rows disagree.';
comment on column datasets.questions_n is 'Questions that rows exist for.';
comment on column datasets.approaches_n is 'Approaches and flavors that rows exist for.';
comment on column datasets.runs_n is 'Runs over it.';
comment on column datasets.cells_n is 'Rows on disk.';
