-- name: engine/statistics
-- purpose: Gives DuckDB the functions that statistics need and engines lack: distributions with their quantiles, and
--   numbers that are a function of names. `docs/statistics.md` says where each formula comes from.
-- grain: none
-- reads: none
-- order: none
-- nulls: every function gives null for null
-- since: 0.1.0

-- Places and weights of the Gauss-Legendre rule of 40 points on 0..1: integrals below are exact to the last digits.
create or replace macro quadrature_places() as [
    0.00088114514472039983e0, 0.00463688065027149677e0, 0.01137002500811286867e0, 0.02104159039310417210e0,
    0.03359359586066173332e0, 0.04895059651556285164e0, 0.06702024839387024809e0, 0.08769388458334416840e0,
    0.11084717428674030615e0, 0.13634087240503644836e0, 0.16402165769291022581e0, 0.19372305516600988102e0,
    0.22526643745243589896e0, 0.25846209915691064355e0, 0.29311039781419749924e0, 0.32900295458712076350e0,
    0.36592390749637315943e0, 0.40365120964931445014e0, 0.44195796466237239576e0, 0.48061379124697458903e0,
    0.51938620875302541097e0, 0.55804203533762760424e0, 0.59634879035068554986e0, 0.63407609250362684057e0,
    0.67099704541287923650e0, 0.70688960218580250076e0, 0.74153790084308935645e0, 0.77473356254756410104e0,
    0.80627694483399011898e0, 0.83597834230708977419e0, 0.86365912759496355164e0, 0.88915282571325969385e0,
    0.91230611541665583160e0, 0.93297975160612975191e0, 0.95104940348443714836e0, 0.96640640413933826668e0,
    0.97895840960689582790e0, 0.98862997499188713133e0, 0.99536311934972850323e0, 0.99911885485527960017e0
];
create or replace macro quadrature_weights() as [
    0.00226063854926659563e0, 0.00524914226557640681e0, 0.00821052919095394436e0, 0.01112292459708347863e0,
    0.01396850349001170055e0, 0.01673009764127392370e0, 0.01939108398723600882e0, 0.02193545409283663600e0,
    0.02434790381753611603e0, 0.02661392349196841218e0, 0.02871988454969577568e0, 0.03065312124646446958e0,
    0.03240200672830051904e0, 0.03395602290761695191e0, 0.03530582369564338985e0, 0.03644329119790202953e0,
    0.03736158452898413210e0, 0.03805518095031312119e0, 0.03851990908212398279e0, 0.03875297398921240563e0,
    0.03875297398921240563e0, 0.03851990908212398279e0, 0.03805518095031312119e0, 0.03736158452898413210e0,
    0.03644329119790202953e0, 0.03530582369564338985e0, 0.03395602290761695191e0, 0.03240200672830051904e0,
    0.03065312124646446958e0, 0.02871988454969577568e0, 0.02661392349196841218e0, 0.02434790381753611603e0,
    0.02193545409283663600e0, 0.01939108398723600882e0, 0.01673009764127392370e0, 0.01396850349001170055e0,
    0.01112292459708347863e0, 0.00821052919095394436e0, 0.00524914226557640681e0, 0.00226063854926659563e0
];

-- Arguments are bound once by `list_transform([...], lambda ...)[1]`; written into the bodies they would be computed again
-- for every point and step. The macros that end in `_at` are those bodies.

-- Share of the standard normal distribution below z.
create or replace macro norm_cdf_at(z) as
    case
        when z <= -9 then 0.0e0
        when z >= 9 then 1.0e0
        else
            0.5e0
            + z * list_dot_product(
                list_transform(quadrature_places(), lambda place: exp(-0.5e0 * z * z * place * place)),
                quadrature_weights()
            ) / sqrt(2 * pi())
    end;

create or replace macro norm_cdf(z) as list_transform(
    case when z is null then [] else [cast(z as double)] end, lambda bound: norm_cdf_at(bound)
)[1];

-- The z below which a share lies. Newton from the middle: the distribution bends downwards there, so it never overshoots.
create or replace macro norm_ppf_at(share) as
    sign(share - 0.5e0) * list_reduce(
        range(60),
        lambda z, step:
            z + (abs(share - 0.5e0)
                - z * list_dot_product(
                    list_transform(quadrature_places(), lambda place: exp(-0.5e0 * z * z * place * place)),
                    quadrature_weights()
                ) / sqrt(2 * pi()))
            * sqrt(2 * pi()) * exp(0.5e0 * z * z),
        0.0e0
    );

create or replace macro norm_ppf(share) as list_transform(
    case when share is null then [] else [cast(share as double)] end, lambda bound: norm_ppf_at(bound)
)[1];

-- The constant of Student's density on the angle atan(t / sqrt(df)).
create or replace macro t_angle_constant(df) as exp(lgamma((df + 1) / 2.0e0) - lgamma(df / 2.0e0)) / sqrt(pi());

-- Share of Student's distribution between 0 and the t of an angle.
create or replace macro t_angle_share(angle, df) as
    t_angle_constant(df) * angle * list_dot_product(
        list_transform(quadrature_places(), lambda place: power(cos(angle * place), df - 1)), quadrature_weights()
    );

-- Share of Student's distribution below t, for any df of 1 or more.
create or replace macro t_cdf_at(t, df) as
    0.5e0 + sign(t) * t_angle_share(atan(abs(t) / sqrt(df)), df);

create or replace macro t_cdf(t, df) as list_transform(
    case when t is null or df is null then [] else [{'t': cast(t as double), 'df': cast(df as double)}] end,
    lambda bound: t_cdf_at(bound.t, bound.df)
)[1];

-- The t below which a share lies, for any df of 1 or more; Newton on the angle.
create or replace macro t_ppf_at(share, df) as
    sign(share - 0.5e0) * sqrt(df) * tan(list_reduce(
        range(60),
        lambda angle, step:
            angle + (abs(share - 0.5e0) - t_angle_share(angle, df))
            / (t_angle_constant(df) * power(cos(angle), df - 1)),
        0.0e0
    ));

create or replace macro t_ppf(share, df) as list_transform(
    case
        when share is null or df is null then []
        else [{'share': cast(share as double), 'df': cast(df as double)}]
    end,
    lambda bound: t_ppf_at(bound.share, bound.df)
)[1];

-- The t quantile of intervals: below 3 degrees of freedom they are rounded down to 1 or 2. The last digits of a computed
-- df do not count: 2.9999999999 is 3.
create or replace macro t_quantile(share, df) as
    t_ppf(share, case when df < 2 - 1e-9 then 1.0e0 when df < 3 - 1e-9 then 2.0e0 else cast(df as double) end);

-- A number from hexadecimal text of at most 15 digits.
create or replace macro hex_number(digits) as cast('0x' || digits as bigint);

-- What the random numbers of one purpose (`draw`, `flip`, `group`), seed and stratum begin with.
create or replace macro resample_base(purpose, seed, stratum) as
    md5('ragsql-resample-1' || chr(31) || purpose || chr(31) || seed || chr(31) || stratum);

-- The unit, of `units` numbered from 0, that a slot of a replicate draws; 2^52 is written out because a plain literal
-- would be a decimal.
create or replace macro drawn_unit(base, replicate, slot, units) as
    cast(floor(
        hex_number(substr(md5(base || ':' || replicate || ':' || slot), 1, 13)) / cast(4503599627370496 as double) * units
    ) as bigint);

-- 48 signs as the bits of a number, lowest first; `flip_sign` reads one of them.
create or replace macro flip_word(base, replicate, word) as
    hex_number(substr(md5(base || ':' || replicate || ':' || word), 1, 12));
create or replace macro flip_sign(word, unit) as
    2 * (cast(floor(word / power(2.0e0, unit % 48)) as bigint) % 2) - 1;

-- An exact, order-free sum of doubles below 1e19, to 18 decimals.
create or replace macro decimal_sum(x) as cast(sum(cast(x as decimal(38, 18))) as double);

-- A list of values in the order of their places, and the sum of products of two such lists.
create or replace macro vector_of(x, place) as list(cast(x as double) order by place);
create or replace macro dot_product(a, b) as list_dot_product(a, b);

create or replace macro list_of(x, place) as list(x order by place);

-- The hashed words of a replicate, and the signs that words or a plain number hold at given bits.
create or replace macro flip_words(bases, blocks, replicate) as list_transform(
    range(1, len(bases) + 1),
    lambda number: flip_word(bases[number], replicate, cast(blocks[number] as bigint))
);
create or replace macro flip_signs(words, numbers, bits) as list_transform(
    range(1, len(bits) + 1),
    lambda place: cast(flip_sign(words[cast(numbers[place] as bigint)], cast(bits[place] as bigint)) as double)
);
create or replace macro flip_signs_of_number(word, places) as list_transform(
    range(places), lambda place: cast(flip_sign(word, place) as double)
);

-- The tail share that the expanded percentile reads in place of (1 - confidence) / 2.
create or replace macro expanded_level(confidence, units) as
    norm_cdf(-sqrt(units / (units - 1.0e0)) * t_ppf(1 - (1 - confidence) / 2.0e0, units - 1.0e0));

-- Wilson's interval of a share: x of n, which need not be whole numbers.
create or replace macro wilson_lower(x, n, z) as
    case
        when n <= 0 then null
        when x <= 0 then 0.0e0
        else (x + z * z / 2.0e0 - z * sqrt(x * (n - x) / cast(n as double) + z * z / 4.0e0)) / (n + z * z)
    end;
create or replace macro wilson_upper(x, n, z) as
    case
        when n <= 0 then null
        when x >= n then 1.0e0
        else (x + z * z / 2.0e0 + z * sqrt(x * (n - x) / cast(n as double) + z * z / 4.0e0)) / (n + z * z)
    end;

-- The sum of doubles of any size, always added in the order of a unique key.
create or replace macro sum_in_order(x, place) as list_sum(list(cast(x as double) order by place));

-- Texts out of a JSON list, and pairs of texts out of a JSON list of lists of two.
create or replace macro json_texts(value) as cast(cast(value as json) as varchar[]);
create or replace macro json_text_pairs(value) as cast(cast(value as json) as varchar[][]);

-- One step of listing the maximal cliques of a graph whose sets of vertices are bits of whole numbers: every known set
-- takes the new vertex in, or splits into itself and the part that the vertex is joined to; sets inside others go.
create or replace macro clique_split(sets, neighbours, vertex) as list_distinct(flatten(list_transform(
    sets,
    lambda known:
        case
            when (known & neighbours) = known then [known | vertex]
            else [known, (known & neighbours) | vertex]
        end
)));
create or replace macro largest_sets(sets) as list_filter(
    sets, lambda one: len(list_filter(sets, lambda other: other <> one and (one & other) = one)) = 0
);
