-- name: reports/audit_reasons_v1
-- purpose: Counts why judges gave no score, by judge and reason.
-- grain: source_file, judge, reason
-- reads: panel_answers
-- param: panel_file (varchar, default null): only this sidecar or judgments file; null takes all, each on its own
-- column: source_file (varchar): the sidecar or judgments file
-- column: judge (varchar): the judge
-- column: reason (varchar): why there is no score
-- column: answers_n (bigint, answers): answers without a score for this reason
-- column: questions_n (bigint, questions): questions they belong to
-- order: source_file, judge, answers_n desc, reason
-- nulls: never
-- since: 0.1.0
select
    panel_answers.source_file,
    panel_answers.judge,
    panel_answers.reason,
    count(*) as answers_n,
    count(distinct panel_answers.question_id) as questions_n
from panel_answers
where
    panel_answers.reason is not null
    and ($panel_file is null or panel_answers.source_file = $panel_file)
group by panel_answers.source_file, panel_answers.judge, panel_answers.reason
order by panel_answers.source_file, panel_answers.judge, answers_n desc, panel_answers.reason
