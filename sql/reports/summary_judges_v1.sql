-- name: reports/summary_judges_v1
-- purpose: Lists the judges that a judgments file names.
-- grain: position
-- reads: store.judge_model, store.file
-- param: judgments_file (varchar, default null): the judgments; null when none were supplied
-- column: judge (varchar): the model
-- column: position (integer, 1 or more): its place in the file
-- order: position
-- nulls: never
-- since: 0.1.0
select judge_model.judge, judge_model.position
from store.judge_model as judge_model
inner join store.file as file on file.file_id = judge_model.file_id
where file.path = $judgments_file
order by judge_model.position
