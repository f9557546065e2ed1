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
-- compensated sum in the order of the values beyond that.
create or replace macro exact_sum(x) as
    case
        when max(abs(x)) * count(x) < 1e19 then cast(sum(try_cast(x as decimal(38, 18))) as double)
        else fsum(x order by x)
    end;

-- The mean that goes with it; null when there is nothing to average.
create or replace macro exact_mean(x) as exact_sum(x) / nullif(count(x), 0);
