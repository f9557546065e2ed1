-- name: checks/fail_ladder_evidence_v1
-- purpose: Finds canonical rows that are missing or unexpected, that were scored otherwise than the manifest asks, or
--   whose provenance is incomplete or not the same throughout (evaluation contract 8.1, gate 2). What our own
--   provenance has no source for must be recorded as null (section 0, item 8).
-- grain: one finding
-- reads: ladder.problem, ladder.expected_run, ladder.expected_cell, ladder.expected_metric, ladder.expected_judge,
--   ladder.expected_fact, ladder.row_provenance, ladder.provenance_fact, store.cell, store.score
-- column: place (bigint): the line; what belongs to all rows stands before the first, what is missing behind the last
-- column: message (varchar): what is wrong
-- order: place, message
-- nulls: never
-- since: 0.1.0
with
-- Without a plan nothing is checked: the warehouse of a project holds many runs, and no ladder.
evidence_row as (
    select
        cell.file_id,
        cell.line,
        cell.run_id,
        cell.dataset_id,
        cell.question_id,
        cell.approach,
        cell.status,
        cell.ragas_status,
        cell.ragas_error_type,
        concat('line ', cast(cell.line as varchar), ' (`', cell.question_id, '`, `', cell.approach, '`)') as shown
    from store.cell as cell
    cross join ladder.expected_run
),
last_line as (
    select coalesce(max(evidence_row.line), 0) as line
    from evidence_row
),
-- The same cell under another name of the run is a second row all the same.
repeated_pair as (
    select max(evidence_row.line) as line, evidence_row.question_id, evidence_row.approach, count(*) as rows_n
    from evidence_row
    group by evidence_row.question_id, evidence_row.approach
    having count(*) > 1
),
metric_entry as (
    select
        evidence_row.line,
        evidence_row.shown,
        evidence_row.ragas_status,
        evidence_row.ragas_error_type,
        score.metric,
        score.requested,
        score.score_kind,
        score.not_evaluable_reason,
        score.metric_error
    from evidence_row
    inner join store.score as score on score.file_id = evidence_row.file_id and score.line = evidence_row.line
    where evidence_row.status = 'ok'
),
metric_finding as (
    select
        evidence_row.line as place,
        concat(evidence_row.shown, ' was not scored for `', expected.metric, '`: the metric is missing') as message
    from evidence_row
    cross join ladder.expected_metric as expected
    left join metric_entry as entry
        on entry.line = evidence_row.line and entry.metric = expected.metric and entry.requested
    where evidence_row.status = 'ok' and entry.metric is null
    union all
    select
        entry.line as place,
        concat(entry.shown, ' was scored for the unexpected metric `', entry.metric, '`') as message
    from metric_entry as entry
    left join ladder.expected_metric as expected on expected.metric = entry.metric
    where expected.metric is null
    union all
    select
        entry.line as place,
        concat(entry.shown, ' has neither a score of `', entry.metric, '` nor a reason for its absence') as message
    from metric_entry as entry
    inner join ladder.expected_metric as expected on expected.metric = entry.metric
    where entry.requested
        and entry.score_kind <> 'number'
        and entry.not_evaluable_reason is null
        and entry.metric_error is null
        and not (coalesce(entry.ragas_status, '') = 'error' and entry.ragas_error_type is not null)
    union all
    select
        evidence_row.line as place,
        concat(
            evidence_row.shown, ' has the unexpected scoring status `', coalesce(evidence_row.ragas_status, 'none'), '`'
        ) as message
    from evidence_row
    cross join (select count(*) as metrics_n from ladder.expected_metric) as asked
    where evidence_row.status = 'ok'
        and (
            coalesce(evidence_row.ragas_status, '') not in ('ok', 'partial', 'not_evaluable', 'error', 'disabled')
            or (evidence_row.ragas_status = 'disabled' and asked.metrics_n > 0)
        )
),
provenance as (
    select row_provenance.provenance_id, min(row_provenance.line) as line
    from ladder.row_provenance as row_provenance
    group by row_provenance.provenance_id
),
first_provenance as (
    select provenance.provenance_id, provenance.line
    from provenance
    inner join (select min(provenance.line) as line from provenance) as first_line
        on first_line.line = provenance.line
),
-- A fact that rows disagree on, or that only some of them have.
unsteady_fact as (
    select fact.name
    from ladder.provenance_fact as fact
    cross join (select count(*) as provenances_n from provenance) as counted
    group by fact.name, counted.provenances_n
    having count(distinct concat(fact.kind, ' ', coalesce(fact.value, ''))) > 1 or count(*) < counted.provenances_n
),
required_name as (
    select 'runtime.project' as name, false as may_be_null
    union all
    select 'runtime.base_port' as name, true as may_be_null
    union all
    select 'runtime.provider_sources.llm' as name, true as may_be_null
    union all
    select 'runtime.provider_sources.comfyui' as name, true as may_be_null
    union all
    select 'runtime.rag_showcase' as name, true as may_be_null
    union all
    select 'runtime.atlas' as name, true as may_be_null
    union all
    select 'runtime.judge_panel.endpoint' as name, true as may_be_null
    union all
    select 'runtime.judge_panel.models' as name, false as may_be_null
    union all
    select 'runtime.runtime_files.model_inventory' as name, true as may_be_null
    union all
    select 'runtime.runtime_files.lightrag_query_profiles' as name, true as may_be_null
),
-- A folder under version control is known by its commit, its tree and what was changed since.
repository as (
    select 'runtime.rag_showcase' as name
    union all
    select 'runtime.atlas' as name
),
repository_part as (
    select repository.name, part.part
    from repository
    cross join (
        select 'commit' as part
        union all
        select 'tree' as part
        union all
        select 'patch_sha256' as part
        union all
        select 'patch_capture' as part
    ) as part
),
first_fact as (
    select fact.name, fact.kind, fact.value
    from ladder.provenance_fact as fact
    inner join first_provenance on first_provenance.provenance_id = fact.provenance_id
),
panel_names as (
    select
        concat('["', string_agg(judge.judge, '","' order by judge.position), '"]') as judges,
        count(*) as judges_n
    from ladder.expected_judge as judge
),
provenance_finding as (
    select
        0 as place,
        concat('`', unsteady_fact.name, '` is not the same in all rows') as message
    from unsteady_fact
    union all
    select
        0 as place,
        concat('`', required_name.name, '` is missing') as message
    from required_name
    cross join first_provenance
    left join first_fact
        on first_fact.name = required_name.name or first_fact.name like concat(required_name.name, '.%')
    where first_fact.name is null
    union all
    select
        0 as place,
        concat('`', required_name.name, '` is empty') as message
    from required_name
    inner join first_fact on first_fact.name = required_name.name
    where not required_name.may_be_null and coalesce(first_fact.value, '') = ''
    union all
    select
        0 as place,
        concat('`', repository_part.name, '.', repository_part.part, '` is missing') as message
    from repository_part
    inner join (
        select distinct repository.name
        from repository
        inner join first_fact on first_fact.name like concat(repository.name, '.%')
    ) as known on known.name = repository_part.name
    left join first_fact
        on first_fact.name = concat(repository_part.name, '.', repository_part.part) and first_fact.value is not null
    where first_fact.name is null
    union all
    select
        0 as place,
        concat('`', first_fact.name, '` is `', first_fact.value, '`, expected `exact` or `retrospective-known-scope`')
            as message
    from repository
    inner join first_fact on first_fact.name = concat(repository.name, '.patch_capture')
    where first_fact.value not in ('exact', 'retrospective-known-scope')
    union all
    select
        0 as place,
        concat('`', first_fact.name, '` is `', first_fact.value, '`, expected an integer') as message
    from first_fact
    where first_fact.name = 'runtime.base_port'
        and first_fact.kind <> 'null'
        and (first_fact.kind <> 'number' or try_cast(first_fact.value as bigint) is null)
    union all
    select
        0 as place,
        concat('`runtime.judge_panel.models` is ', first_fact.value, ', expected ', panel_names.judges) as message
    from first_fact
    cross join panel_names
    where first_fact.name = 'runtime.judge_panel.models'
        and panel_names.judges_n > 0
        and first_fact.value is distinct from panel_names.judges
    union all
    select
        0 as place,
        '`runtime.judge_panel.endpoint` is null, but a panel judges' as message
    from first_fact
    cross join panel_names
    where first_fact.name = 'runtime.judge_panel.endpoint' and panel_names.judges_n > 0 and first_fact.value is null
    union all
    select
        0 as place,
        concat('`', expected.name, '` is missing') as message
    from ladder.expected_fact as expected
    cross join first_provenance
    left join first_fact on first_fact.name = expected.name
    where first_fact.name is null
    union all
    select
        0 as place,
        concat(
            '`', expected.name, '` is `', coalesce(first_fact.value, 'null'), '`, expected `',
            coalesce(expected.value, 'null'), '`'
        ) as message
    from ladder.expected_fact as expected
    inner join first_fact on first_fact.name = expected.name
    where first_fact.value is distinct from expected.value
    union all
    select
        0 as place,
        concat('`', first_fact.name, '` is unexpected') as message
    from first_fact
    left join ladder.expected_fact as expected on expected.name = first_fact.name
    where first_fact.name like 'config_hashes.%' and expected.name is null
),
finding as (
    select problem.place, problem.message
    from ladder.problem as problem
    where problem.gate = 2
    union all
    select
        evidence_row.line as place,
        concat(evidence_row.shown, ' belongs to the unexpected dataset `', evidence_row.dataset_id, '`') as message
    from evidence_row
    cross join ladder.expected_run as expected
    where evidence_row.dataset_id <> expected.dataset_id
    union all
    select
        evidence_row.line as place,
        concat(evidence_row.shown, ' belongs to the unexpected run `', evidence_row.run_id, '`') as message
    from evidence_row
    cross join ladder.expected_run as expected
    where evidence_row.run_id <> expected.run_id
    union all
    select
        evidence_row.line as place,
        concat(evidence_row.shown, ' is unexpected: nobody planned it') as message
    from evidence_row
    left join ladder.expected_cell as expected
        on expected.question_id = evidence_row.question_id and expected.approach = evidence_row.approach
    where expected.position is null
    union all
    select
        repeated_pair.line as place,
        concat(
            'question `', repeated_pair.question_id, '`, `', repeated_pair.approach, '` has ',
            cast(repeated_pair.rows_n as varchar), ' rows'
        ) as message
    from repeated_pair
    union all
    select
        last_line.line + expected.position as place,
        concat('question `', expected.question_id, '`, `', expected.approach, '` has no row') as message
    from ladder.expected_cell as expected
    cross join last_line
    left join evidence_row
        on evidence_row.question_id = expected.question_id and evidence_row.approach = expected.approach
    where evidence_row.line is null
    union all
    select metric_finding.place, metric_finding.message
    from metric_finding
    union all
    select cast(provenance_finding.place as bigint) as place, provenance_finding.message
    from provenance_finding
)

select finding.place, finding.message
from finding
order by finding.place, finding.message
