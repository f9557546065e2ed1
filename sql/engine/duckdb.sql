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

-- Rounds to two decimals, half to even on the exact binary value.
create or replace macro r2(x) as cast(format('{:.2f}', cast(x as double)) as double);

-- The shortest digits that give the same double again, always with a point or an exponent: 100.0, 1e-05.
create or replace macro float_text(x) as cast(cast(x as double) as varchar);

-- A fixed number of decimals, half to even on the exact binary value.
create or replace macro fixed0(x) as format('{:.0f}', cast(x as double));
create or replace macro fixed2(x) as format('{:.2f}', cast(x as double));
create or replace macro fixed3(x) as format('{:.3f}', cast(x as double));

-- A ratio as a percentage with two decimals: 0.166667 gives 16.67%.
create or replace macro percent2(x) as format('{:.2f}%', cast(x as double) * 100);

-- Whether a text is an address that a link may point to: the web, and nothing that could end the link or run.
create or replace macro is_web_address(x) as regexp_full_match(x, 'https?://[A-Za-z0-9._~:/?#@!$&*+,;=%-]+');

-- Whether a text is a relative path that a link may point to.
create or replace macro is_plain_path(x) as regexp_full_match(x, '[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*');

-- A text as part of a file name: at most 100 lower-case letters, digits, points, underscores and single hyphens; never
-- hidden, and never with two hyphens in a row, so that `--2` can tell equal names apart.
create or replace macro file_slug(x) as
    trim(left(regexp_replace(lower(x), '[^a-z0-9_.]+', '-', 'g'), 100), '.-');

-- The beginning of a long text, cut between two characters as people see them; whole when it is short enough. A text
-- whose first character never ends is cut anywhere, because something must be shown.
create or replace macro preview(x, n) as
    case
        when length(x) <= n then x
        -- Without wide characters and carriage returns, every character stands alone.
        when strlen(x) = length(x) and not contains(x, chr(13)) then left(x, n)
        when length_grapheme(left(x, n * 4)) > 1
            then left_grapheme(left(x, n * 4), least(n, length_grapheme(left(x, n * 4)) - 1))
        else left(x, n)
    end;

-- The last part of a path, whatever the system that wrote it.
create or replace macro file_name_of(x) as regexp_extract(x, '[^/\\]*$');

-- As many decimals as a statement says, from 0 to 6.
create or replace macro fixed_n(x, n) as
    case
        when n <= 0 then format('{:.0f}', cast(x as double))
        when n <= 3 then format('{:.3f}', cast(x as double))
        when n <= 4 then format('{:.4f}', cast(x as double))
        else format('{:.6f}', cast(x as double))
    end;

-- A share as a percentage with one decimal that says 0 and 100 only when it is so: 599 of 600 gives 99.8 %.
create or replace macro share_text(part, whole) as
    case
        when part = whole then '100 %'
        when part = 0 then '0 %'
        else concat(
            format('{:.1f}', least(greatest(cast(part as double) * 100 / nullif(whole, 0), 0.1), 99.9)), ' %'
        )
    end;

-- The names in a JSON object, and the value of one of them, as JSON and as text.
create or replace macro json_names(value) as json_keys(value);
create or replace macro json_member(value, name) as json_extract(value, concat('$."', name, '"'));
create or replace macro json_member_text(value, name) as json_extract_string(value, concat('$."', name, '"'));

-- The items of a JSON list.
create or replace macro json_items(value) as cast(cast(value as json) as json[]);
