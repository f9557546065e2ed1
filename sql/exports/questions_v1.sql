-- name: exports/questions_v1
-- purpose: Gives the questions that rows of the wanted runs exist for.
-- grain: dataset_id, question_id
-- reads: store.cell
-- param: runs (varchar, default null): JSON list of the runs wanted; null takes all
-- column: dataset_id (varchar): the dataset
-- column: question_id (varchar): names the question within its dataset
-- column: query (varchar): what was asked; the first by name when runs asked differently
-- column: ground_truth (varchar): the reference answer
-- column: rationale (varchar): what a good answer needs
-- column: expect_winner (varchar): the approach its author expects to win
-- column: wordings_n (bigint, wordings): different wordings found; more than 1 makes runs not comparable here
-- column: cells_n (bigint, cells): rows on disk
-- order: dataset_id, question_id
-- nulls: reference, rationale and expected winner are null when the question file has none
-- since: 0.2.0
select
    cell.dataset_id,
    cell.question_id,
    min(cell.query) as query,
    min(cell.ground_truth) as ground_truth,
    min(cell.rationale) as rationale,
    min(cell.expect_winner) as expect_winner,
    count(distinct cell.query) as wordings_n,
    count(*) as cells_n
from store.cell as cell
where $runs is null or list_contains(cast(cast($runs as json) as varchar[]), cell.run_id)
group by cell.dataset_id, cell.question_id
order by cell.dataset_id, cell.question_id
