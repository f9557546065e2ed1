-- name: rankings/stat_letters_v1
-- purpose: Turns tests of pairs into letters: two approaches share one if, and only if, they do not differ. Letters are all
--   maximal groups without a difference (statistics contract, section 5.2). Says nothing about equality.
-- grain: approach
-- reads: none
-- param: approaches (varchar, required): JSON list of the approaches, best first; at most 62
-- param: different (varchar, required): JSON list of the pairs that differ, each a list of two approaches
-- column: place (bigint, 1 or more): place in the list
-- column: approach (varchar): the approach
-- column: letters (varchar): its groups, for instance ab
-- column: groups_n (bigint, groups): groups there are
-- column: best_rank (bigint, 1 or more): 1 + number of approaches that differ and stand before it
-- column: worst_rank (bigint, 1 or more): number of approaches less those that differ and stand behind it
-- column: is_with_best (boolean): whether it does not differ from the first
-- column: reason (varchar): too_many_groups
-- order: place
-- nulls: letters are null when there are more than 26 groups, with a reason
-- since: 0.1.0
with recursive
named as (
    select unnest(json_texts($approaches)) as approach, generate_subscripts(json_texts($approaches), 1) as place
),
vertex as (
    select
        named.approach,
        named.place,
        cast(power(2, count(*) over () - named.place) as bigint) as bit_value,
        count(*) over () as approaches_n
    from named
),
told as (
    select unnest(json_text_pairs($different)) as pair
),
difference as (
    select distinct one.place as before_place, two.place as behind_place
    from told
    inner join vertex as one on one.approach in (told.pair[1], told.pair[2])
    inner join vertex as two on two.approach in (told.pair[1], told.pair[2]) and two.place > one.place
),
joined as (
    select
        vertex.place,
        vertex.bit_value,
        cast(coalesce(sum(other.bit_value) filter (where difference.before_place is null), 0) as bigint) as neighbours
    from vertex
    left join vertex as other on other.place < vertex.place
    left join difference on difference.before_place = other.place and difference.behind_place = vertex.place
    group by vertex.place, vertex.bit_value
),
grown as (
    select cast(1 as bigint) as place, [joined.bit_value] as sets
    from joined
    where joined.place = 1
    union all
    select
        joined.place, largest_sets(clique_split(grown.sets, joined.neighbours, joined.bit_value))
    from grown
    inner join joined on joined.place = grown.place + 1
),
clique as (
    select unnest(grown.sets) as members
    from grown
    where grown.place = (select max(vertex.place) from vertex)
),
lettered as (
    select clique.members, row_number() over (order by clique.members desc) as number, count(*) over () as groups_n
    from clique
),
spelled as (
    select
        vertex.place,
        max(lettered.groups_n) as groups_n,
        string_agg(chr(cast(96 + lettered.number as integer)), '' order by lettered.number)
            filter (where lettered.number <= 26) as letters
    from vertex
    inner join lettered on (lettered.members & vertex.bit_value) <> 0
    group by vertex.place
)
select
    vertex.place,
    vertex.approach,
    case when spelled.groups_n <= 26 then spelled.letters end as letters,
    spelled.groups_n,
    1 + (select count(*) from difference where difference.behind_place = vertex.place) as best_rank,
    vertex.approaches_n - (select count(*) from difference where difference.before_place = vertex.place) as worst_rank,
    not exists (
        select 1 from difference where difference.before_place = 1 and difference.behind_place = vertex.place
    ) as is_with_best,
    case when spelled.groups_n > 26 then 'too_many_groups' end as reason
from vertex
inner join spelled on spelled.place = vertex.place
order by vertex.place
