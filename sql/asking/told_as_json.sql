-- name: asking/told_as_json
-- purpose: Has errors of a connection told in parts, so that a person sees the place and the nearest name.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
set errors_as_json = true;
