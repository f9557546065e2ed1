-- name: staging/runs_v1
-- purpose: Creates the view `runs`: what each run covered and how it went.
-- grain: run_id
-- reads: cells
-- order: none
-- nulls: never
-- since: 0.1.0
create or replace view runs as
select
    run_id,
    count(*) as cells_n,
    count(*) filter (where status = 'ok') as ok_n,
    count(*) filter (where status = 'error') as errors_n,
    count(*) filter (where status = 'timeout') as timeouts_n,
    count(distinct dataset_id) as datasets_n,
    count(distinct approach) as approaches_n,
    min(runner_version) as runner_version,
    min(source_file) as source_file
from cells
group by run_id;

comment on view runs is 'One run: what it covered and how it went.';
comment on column runs.run_id is 'Names the run.';
comment on column runs.cells_n is 'Rows on disk.';
comment on column runs.ok_n is 'Rows with an answer.';
comment on column runs.errors_n is 'Rows that ended in an error.';
comment on column runs.timeouts_n is 'Rows that ran out of time.';
comment on column runs.datasets_n is 'Datasets asked about.';
comment on column runs.approaches_n is 'Approaches and flavors called.';
comment on column runs.runner_version is 'Lowest version of the rules that made its rows.';
comment on column runs.source_file is 'The first evidence file of the run by name.';
