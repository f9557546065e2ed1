-- name: retrieval/interrupt_ingestions_v1
-- purpose: Makes jobs pending that a process which is gone left running
-- grain: job
-- reads: ingestions
-- order: none
-- nulls: never
-- since: 0.1.0
update ingestions
set status = 'pending'
where status = 'running'
