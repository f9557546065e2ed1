-- What DuckDB needs to read the parts of every row that resume looks at.
select
  count(row_id) as rows_n,
  count(status) as statuses_n,
  count(question) as questions_n,
  count(approach) as approaches_n,
  count(reproducibility) as reproducibilities_n
from read_json(
  $1,
  format = 'newline_delimited',
  columns = {row_id: 'varchar', status: 'varchar', question: 'json', approach: 'json', reproducibility: 'json'}
)
