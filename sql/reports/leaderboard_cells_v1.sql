-- name: reports/leaderboard_cells_v1
-- purpose: Writes every cell of the four leaderboard tables: what it sorts by and what it shows (evaluation contract
--   7.2).
-- grain: table_id, row_position, position
-- reads: staging.leaderboard_columns, staging.leaderboard_overall, staging.leaderboard_records,
--   staging.leaderboard_judges
-- column: table_id (varchar): base-overall, base-by-dataset, flavor-overall or flavor-by-dataset
-- column: row_position (bigint, 1 or more): place of the row
-- column: position (bigint, 1 or more): place of the column
-- column: column_key (varchar): names the column for programs
-- column: dataset_id (varchar): the dataset of the row, to filter by
-- column: approach (varchar): the approach of the row, to filter by
-- column: base_family (varchar): the base approach behind it, to filter by
-- column: starts_row (boolean): whether this is the first cell of its row
-- column: ends_row (boolean): whether this is the last cell of its row
-- column: sort_value (varchar): the raw value as text; empty when there is none
-- column: display (varchar): what people read; N/A when there is nothing
-- order: table_id, row_position, position
-- nulls: dataset_id is null in the overall tables
-- since: 0.1.0
with
line as (
    select
        overall.tier,
        'overall' as scope,
        row_number() over (partition by overall.tier order by overall.overall_rank nulls last, overall.approach) as row_position,
        overall.overall_rank,
        overall.judge_macro_mean,
        overall.judge_weighted_mean,
        overall.mean_dataset_rank,
        overall.best_dataset_rank,
        overall.worst_dataset_rank,
        cast(null as varchar) as dataset_id,
        cast(null as bigint) as complexity_level,
        cast(null as bigint) as judge_rank,
        cast(null as double) as judge_mean,
        cast(null as bigint) as answer_relevancy_rank,
        cast(null as bigint) as faithfulness_rank,
        cast(null as bigint) as latency_rank,
        overall.approach,
        overall.base_family,
        overall.maturity,
        overall.judge_evaluated,
        overall.judge_total,
        overall.judge_errors,
        overall.judge_disagreement,
        overall.judge_disagreement_evaluated,
        overall.query_wins,
        overall.answer_relevancy_mean,
        overall.answer_relevancy_evaluated,
        overall.answer_relevancy_total,
        overall.answer_relevancy_not_evaluable,
        overall.answer_relevancy_errors,
        overall.answer_relevancy_timeouts,
        overall.faithfulness_mean,
        overall.faithfulness_evaluated,
        overall.faithfulness_total,
        overall.faithfulness_not_evaluable,
        overall.faithfulness_errors,
        overall.faithfulness_timeouts,
        overall.mean_latency_ms,
        overall.successful,
        overall.attempted,
        overall.error_rate,
        overall.errors,
        overall.timeouts
    from staging.leaderboard_overall as overall
    union all
    select
        record.tier,
        'dataset' as scope,
        row_number() over (partition by record.tier order by record.complexity_level, record.dataset_id, record.judge_rank nulls last, record.approach) as row_position,
        cast(null as bigint) as overall_rank,
        cast(null as double) as judge_macro_mean,
        cast(null as double) as judge_weighted_mean,
        cast(null as double) as mean_dataset_rank,
        cast(null as bigint) as best_dataset_rank,
        cast(null as bigint) as worst_dataset_rank,
        record.dataset_id,
        record.complexity_level,
        record.judge_rank,
        record.judge_mean,
        record.answer_relevancy_rank,
        record.faithfulness_rank,
        record.latency_rank,
        record.approach,
        record.base_family,
        record.maturity,
        record.judge_evaluated,
        record.judge_total,
        record.judge_errors,
        record.judge_disagreement,
        record.judge_disagreement_evaluated,
        record.query_wins,
        record.answer_relevancy_mean,
        record.answer_relevancy_evaluated,
        record.answer_relevancy_total,
        record.answer_relevancy_not_evaluable,
        record.answer_relevancy_errors,
        record.answer_relevancy_timeouts,
        record.faithfulness_mean,
        record.faithfulness_evaluated,
        record.faithfulness_total,
        record.faithfulness_not_evaluable,
        record.faithfulness_errors,
        record.faithfulness_timeouts,
        record.mean_latency_ms,
        record.successful,
        record.attempted,
        record.error_rate,
        record.errors,
        record.timeouts
    from staging.leaderboard_records as record
),
judge_of_line as (
    select judges.tier, 'dataset' as scope, judges.dataset_id, judges.approach, judges.judge, judges.mean, judges.evaluated
    from staging.leaderboard_judges as judges
    union all
    select
        judges.tier,
        'overall' as scope,
        cast(null as varchar) as dataset_id,
        judges.approach,
        judges.judge,
        r6(exact_sum(judges.mean * judges.evaluated) / nullif(sum(judges.evaluated), 0)) as mean,
        cast(sum(judges.evaluated) as bigint) as evaluated
    from staging.leaderboard_judges as judges
    group by judges.tier, judges.approach, judges.judge
),
raw_cell as (
    select
        columns.table_id,
        line.row_position,
        columns.position,
        columns.column_key,
        columns.form,
        line.dataset_id,
        line.approach,
        line.base_family,
        case columns.column_key
            when 'overall-rank' then line.overall_rank
            when 'complexity' then line.complexity_level
            when 'judge-rank' then line.judge_rank
            when 'judge-errors' then line.judge_errors
            when 'judge-disagreement-coverage' then line.judge_disagreement_evaluated
            when 'best-dataset-rank' then line.best_dataset_rank
            when 'worst-dataset-rank' then line.worst_dataset_rank
            when 'query-wins' then line.query_wins
            when 'answer-relevancy-rank' then line.answer_relevancy_rank
            when 'answer-relevancy-total' then line.answer_relevancy_total
            when 'answer-relevancy-ineligible' then line.answer_relevancy_not_evaluable
            when 'answer-relevancy-errors' then line.answer_relevancy_errors
            when 'answer-relevancy-timeouts' then line.answer_relevancy_timeouts
            when 'faithfulness-rank' then line.faithfulness_rank
            when 'faithfulness-total' then line.faithfulness_total
            when 'faithfulness-ineligible' then line.faithfulness_not_evaluable
            when 'faithfulness-errors' then line.faithfulness_errors
            when 'faithfulness-timeouts' then line.faithfulness_timeouts
            when 'latency-rank' then line.latency_rank
            when 'successful' then line.successful
            when 'attempted' then line.attempted
            when 'errors' then line.errors
            when 'timeouts' then line.timeouts
        end as integer_value,
        case
            when columns.judge is not null then judge_of_line.mean
            else
                case columns.column_key
                    when 'judge-macro' then line.judge_macro_mean
                    when 'judge-weighted' then line.judge_weighted_mean
                    when 'judge-mean' then line.judge_mean
                    when 'judge-disagreement' then line.judge_disagreement
                    when 'mean-dataset-rank' then line.mean_dataset_rank
                    when 'answer-relevancy-mean' then line.answer_relevancy_mean
                    when 'faithfulness-mean' then line.faithfulness_mean
                    when 'latency' then line.mean_latency_ms
                    when 'error-rate' then line.error_rate
                end
        end as number_value,
        case columns.column_key
            when 'dataset' then line.dataset_id
            when 'approach' then line.approach
            when 'base-family' then line.base_family
            when 'maturity' then line.maturity
        end as text_value,
        case
            when columns.judge is not null then coalesce(judge_of_line.evaluated, 0)
            when columns.column_key = 'judge-coverage' then line.judge_evaluated
            when columns.column_key = 'answer-relevancy-coverage' then line.answer_relevancy_evaluated
            when columns.column_key = 'faithfulness-coverage' then line.faithfulness_evaluated
        end as part,
        case
            when columns.judge is not null or columns.column_key = 'judge-coverage' then line.judge_total
            when columns.column_key = 'answer-relevancy-coverage'
                then line.answer_relevancy_total - line.answer_relevancy_not_evaluable
            when columns.column_key = 'faithfulness-coverage'
                then line.faithfulness_total - line.faithfulness_not_evaluable
        end as whole,
        max(columns.position) over (partition by columns.table_id) as last_position
    from line
    inner join staging.leaderboard_columns as columns
        on columns.tier = line.tier and columns.scope = line.scope
    left join judge_of_line
        on judge_of_line.tier = line.tier
        and judge_of_line.scope = line.scope
        and judge_of_line.dataset_id is not distinct from line.dataset_id
        and judge_of_line.approach = line.approach
        and judge_of_line.judge = columns.judge
)
select
    raw_cell.table_id,
    raw_cell.row_position,
    raw_cell.position,
    raw_cell.column_key,
    raw_cell.dataset_id,
    raw_cell.approach,
    raw_cell.base_family,
    raw_cell.position = 1 as starts_row,
    raw_cell.position = raw_cell.last_position as ends_row,
    coalesce(
        case raw_cell.form
            when 'integer' then cast(raw_cell.integer_value as varchar)
            when 'text' then raw_cell.text_value
            when 'coverage' then float_text(cast(raw_cell.part as double) / nullif(raw_cell.whole, 0))
            else float_text(raw_cell.number_value)
        end,
        ''
    ) as sort_value,
    coalesce(
        case raw_cell.form
            when 'integer' then cast(raw_cell.integer_value as varchar)
            when 'text' then raw_cell.text_value
            when 'coverage'
                then case
                    when raw_cell.whole > 0
                        then concat(
                            cast(raw_cell.part as varchar),
                            ' / ',
                            cast(raw_cell.whole as varchar),
                            ' (',
                            percent2(cast(raw_cell.part as double) / raw_cell.whole),
                            ')'
                        )
                end
            when 'fixed2' then fixed2(raw_cell.number_value)
            when 'fixed3' then fixed3(raw_cell.number_value)
            when 'rate' then percent2(raw_cell.number_value)
        end,
        'N/A'
    ) as display
from raw_cell
order by raw_cell.table_id, raw_cell.row_position, raw_cell.position
