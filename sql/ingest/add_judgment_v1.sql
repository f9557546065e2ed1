-- name: ingest/add_judgment_v1
-- purpose: Stores what a judgments file says about itself, or why it cannot be used.
-- grain: none
-- reads: none
-- param: file_id (integer, required): number of the file in this database
-- param: run_id (varchar, required): the judged run; null when nobody knows
-- param: status (varchar, required): its status; null when there is none
-- param: error_text (varchar, required): its own error; null when there is none
-- param: dataset_given (integer, required): 1 when it names a dataset
-- param: dataset_id (varchar, required): the dataset; null when it is not text
-- param: read_problem (varchar, required): why nothing can be used; null when it can
-- param: queries_problem (varchar, required): why its queries cannot be used; null when they can
-- order: none
-- nulls: never
-- since: 0.1.0
insert into store.judgment (
    file_id, run_id, status, error_text, dataset_given, dataset_id, read_problem, queries_problem
)
values (
    $file_id, $run_id, $status, $error_text, $dataset_given = 1, $dataset_id, $read_problem, $queries_problem
)
