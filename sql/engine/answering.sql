-- name: engine/answering
-- purpose: Has errors of a connection told in parts, so that a person sees the place and the nearest name; and keeps few rows
--   ready ahead of whoever takes them: the engine counts rows without their texts, and long ones would fill the memory.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.2.0
set errors_as_json = true;
set streaming_buffer_size = '16KB';
