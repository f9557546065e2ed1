-- name: staging/approaches_v1
-- purpose: Creates the view `approaches`: the approaches and flavors that rows exist for.
-- grain: approach
-- reads: cells
-- order: none
-- nulls: base approach, flavor and capability are null when no row carries them
-- since: 0.1.0
create or replace view approaches as
select
    approach,
    min(base_approach) as base_approach,
    min(flavor) as flavor,
    min(evidence_capability) as evidence_capability,
    bool_or(requires_reingest) as requires_reingest,
    count(*) as cells_n,
    count(*) filter (where status = 'ok') as ok_n
from cells
group by approach;

comment on view approaches is 'One approach or flavor that rows exist for.';
comment on column approaches.approach is 'The alias that was called.';
comment on column approaches.base_approach is 'The approach behind the alias.';
comment on column approaches.flavor is 'The flavor; `default` for the approach itself.';
comment on column approaches.evidence_capability is '`answer_only` or `answer_with_contexts`.';
comment on column approaches.requires_reingest is 'Whether any of its rows needed an ingestion of its own.';
comment on column approaches.cells_n is 'Rows on disk.';
comment on column approaches.ok_n is 'Rows with an answer.';
