-- name: staging/leaderboard_columns_v1
-- purpose: Creates the view `staging.leaderboard_columns`: the columns of the four leaderboard tables, how they sort
--   and
--   how their cells are written (evaluation contract 7.2). Each judge model has two columns of its own.
-- grain: table_id, position
-- reads: site.dataset, site.panel_judge
-- order: none
-- nulls: judge is null for columns that belong to no judge
-- since: 0.1.0
create or replace view staging.leaderboard_columns as
with
board as (
    select board.table_id, board.tier, board.scope
    from (
        values
            ('base-overall', 'base', 'overall'),
            ('base-by-dataset', 'base', 'dataset'),
            ('flavor-overall', 'flavors', 'overall'),
            ('flavor-by-dataset', 'flavors', 'dataset')
    ) as board (table_id, tier, scope)
),
plain_column as (
    select plain.*
    from (
        values
            (10, 'overall-rank', 'Rank', 'number', 'lower', 'integer', 'overall', false),
            (20, 'dataset', 'Dataset', 'text', 'neutral', 'text', 'dataset', false),
            (30, 'complexity', 'Complexity', 'number', 'higher', 'integer', 'dataset', false),
            (40, 'approach', 'Approach', 'text', 'neutral', 'text', 'both', false),
            (50, 'base-family', 'Base family', 'text', 'neutral', 'text', 'both', true),
            (60, 'maturity', 'Maturity', 'text', 'neutral', 'text', 'both', false),
            (70, 'judge-rank', 'Judge rank', 'number', 'lower', 'integer', 'dataset', false),
            (80, 'judge-macro', 'Judge mean over datasets (1-5)', 'number', 'higher', 'fixed3', 'overall', false),
            (90, 'judge-weighted', 'Judge mean over questions (1-5)', 'number', 'higher', 'fixed3', 'overall', false),
            (100, 'judge-mean', 'Judge mean (1-5)', 'number', 'higher', 'fixed3', 'dataset', false),
            (110, 'judge-coverage', 'Judged questions', 'number', 'higher', 'coverage', 'both', false),
            (120, 'judge-errors', 'Failed verdicts of the panel', 'number', 'lower', 'integer', 'both', false),
            (140, 'judge-disagreement', 'Judge disagreement (points)', 'number', 'lower', 'fixed3', 'both', false),
            (150, 'judge-disagreement-coverage', 'Score pairs', 'number', 'higher', 'integer', 'both', false),
            (160, 'mean-dataset-rank', 'Mean dataset rank', 'number', 'lower', 'fixed3', 'overall', false),
            (170, 'best-dataset-rank', 'Best dataset rank', 'number', 'lower', 'integer', 'overall', false),
            (180, 'worst-dataset-rank', 'Worst dataset rank', 'number', 'lower', 'integer', 'overall', false),
            (190, 'query-wins', 'Questions won', 'number', 'higher', 'integer', 'both', false),
            (200, 'answer-relevancy-rank', 'Answer relevancy rank', 'number', 'lower', 'integer', 'dataset', false),
            (210, 'answer-relevancy-mean', 'Answer relevancy (mean)', 'number', 'higher', 'fixed3', 'both', false),
            (220, 'answer-relevancy-coverage', 'Answer relevancy: scored of eligible', 'number', 'higher', 'coverage', 'both', false),
            (230, 'answer-relevancy-total', 'Answer relevancy: rows', 'number', 'higher', 'integer', 'both', false),
            (240, 'answer-relevancy-ineligible', 'Answer relevancy: not eligible', 'number', 'lower', 'integer', 'both', false),
            (250, 'answer-relevancy-errors', 'Answer relevancy: errors', 'number', 'lower', 'integer', 'both', false),
            (260, 'answer-relevancy-timeouts', 'Answer relevancy: timeouts', 'number', 'lower', 'integer', 'both', false),
            (300, 'faithfulness-rank', 'Faithfulness rank', 'number', 'lower', 'integer', 'dataset', false),
            (310, 'faithfulness-mean', 'Faithfulness (mean)', 'number', 'higher', 'fixed3', 'both', false),
            (320, 'faithfulness-coverage', 'Faithfulness: scored of eligible', 'number', 'higher', 'coverage', 'both', false),
            (330, 'faithfulness-total', 'Faithfulness: rows', 'number', 'higher', 'integer', 'both', false),
            (340, 'faithfulness-ineligible', 'Faithfulness: not eligible', 'number', 'lower', 'integer', 'both', false),
            (350, 'faithfulness-errors', 'Faithfulness: errors', 'number', 'lower', 'integer', 'both', false),
            (360, 'faithfulness-timeouts', 'Faithfulness: timeouts', 'number', 'lower', 'integer', 'both', false),
            (400, 'latency-rank', 'Latency rank', 'number', 'lower', 'integer', 'dataset', false),
            (410, 'latency', 'Mean latency (ms)', 'number', 'lower', 'fixed2', 'both', false),
            (420, 'successful', 'Successful rows', 'number', 'higher', 'integer', 'both', false),
            (430, 'attempted', 'Attempted rows', 'number', 'higher', 'integer', 'both', false),
            (440, 'error-rate', 'Error rate', 'number', 'lower', 'rate', 'both', false),
            (450, 'errors', 'Errors', 'number', 'lower', 'integer', 'both', false),
            (460, 'timeouts', 'Timeouts', 'number', 'lower', 'integer', 'both', false)
    ) as plain (place, column_key, label, sort_type, sort_direction, form, scope, flavors_only)
),
judge as (
    select distinct panel_judge.tier, panel_judge.judge
    from site.panel_judge as panel_judge
    inner join site.dataset as dataset
        on dataset.dataset_id = panel_judge.dataset_id and dataset.status = 'measured'
),
judge_column as (
    select
        judge.tier,
        judge.judge,
        part.place,
        concat(part.key_prefix, judge.judge) as column_key,
        concat(judge.judge, part.label_suffix) as label,
        part.form
    from judge
    cross join (
        values (130, 'judge:', ': mean (1-5)', 'fixed3'), (131, 'judge-coverage:', ': answers scored', 'coverage')
    ) as part (place, key_prefix, label_suffix, form)
),
board_column as (
    select
        board.table_id,
        board.tier,
        board.scope,
        plain_column.place,
        plain_column.column_key,
        plain_column.label,
        plain_column.sort_type,
        plain_column.sort_direction,
        plain_column.form,
        cast(null as varchar) as judge
    from board
    inner join plain_column
        on plain_column.scope in ('both', board.scope)
        and (board.tier = 'flavors' or not plain_column.flavors_only)
    union all
    select
        board.table_id,
        board.tier,
        board.scope,
        130 as place,
        judge_column.column_key,
        judge_column.label,
        'number' as sort_type,
        'higher' as sort_direction,
        judge_column.form,
        judge_column.judge
    from board
    inner join judge_column on judge_column.tier = board.tier
)
select
    table_id,
    tier,
    scope,
    row_number() over (
        partition by table_id order by place, judge, case when form = 'coverage' then 1 else 0 end
    ) as position,
    column_key,
    label,
    sort_type,
    sort_direction,
    form,
    judge
from board_column;
