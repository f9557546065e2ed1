-- name: retrieval/add_phase_v1
-- purpose: Writes down a phase of a new job
-- grain: phase
-- reads: none
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- param: position (integer, required): from 0
-- param: name (varchar, required): the phase
-- order: none
-- nulls: never
-- since: 0.1.0
insert into phases (ingestion_key, position, name, status, counts)
values ($ingestion_key, $position, $name, 'pending', '{}')
