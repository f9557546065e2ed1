-- name: engine/duckdb
-- purpose: Gives DuckDB the functions in which engines differ, so that the other statements are common SQL.
-- grain: none
-- reads: none
-- order: none
-- nulls: every function gives null for null
-- since: 0.1.0

-- Rounds to six decimals, half to even on the exact binary value; `round` rounds the decimal text instead.
create or replace macro r6(x) as cast(format('{:.6f}', cast(x as double)) as double);

-- The sum of doubles, the same for every row order and thread count: exact decimal digits while they fit, and a
-- compensated sum in the order of the values for what is larger.
create or replace macro exact_sum(x) as
    case
        when count(x) > 0 then
            coalesce(cast(sum(cast(case when abs(x) < 1e13 then x end as decimal(38, 18))) as double), 0.0)
            + coalesce(fsum(x order by x) filter (where abs(x) >= 1e13), 0.0)
    end;

-- The mean that goes with it; null when there is nothing to average.
create or replace macro exact_mean(x) as exact_sum(x) / nullif(count(x), 0);
