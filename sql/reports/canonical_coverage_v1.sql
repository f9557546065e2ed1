-- name: reports/canonical_coverage_v1
-- purpose: Counts the rows of each measured dataset that has a base evaluation: answered, failed, out of time.
-- grain: dataset_id
-- reads: staging.leaderboard_records
-- column: dataset_id (varchar): the dataset
-- column: complexity_level (bigint, 1 or more): how relational it is
-- column: ok_n (bigint, rows): rows with an answer
-- column: total_n (bigint, rows): all rows
-- column: errors_n (bigint, rows): rows that failed
-- column: timeouts_n (bigint, rows): rows that ran out of time
-- order: complexity_level, dataset_id
-- nulls: never
-- since: 0.1.0
select
    record.dataset_id,
    record.complexity_level,
    cast(sum(record.successful) as bigint) as ok_n,
    cast(sum(record.attempted) as bigint) as total_n,
    cast(sum(record.errors) as bigint) as errors_n,
    cast(sum(record.timeouts) as bigint) as timeouts_n
from staging.leaderboard_records as record
where record.tier = 'base'
group by record.dataset_id, record.complexity_level
order by record.complexity_level, record.dataset_id
