-- name: reports/missing_contexts_v1
-- purpose: Says of which approaches answers came without any contexts although they should show them.
-- grain: approach
-- reads: cells
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- column: approach (varchar): the approach
-- column: missing_n (bigint, 1 or more): answers whose service handed out no contexts
-- column: answers_n (bigint, 1 or more): answers there are
-- order: approach
-- nulls: never
-- since: 0.1.0
select
    cells.approach,
    count(*) filter (where cells.contexts_missing) as missing_n,
    count(*) as answers_n
from cells
where cells.status = 'ok' and ($source_file is null or cells.source_file = $source_file)
group by cells.approach
having count(*) filter (where cells.contexts_missing) > 0
order by cells.approach
