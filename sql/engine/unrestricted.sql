-- name: engine/unrestricted
-- purpose: Gives a connection back what `engine/settings` takes from it, for people who ask for it. Nobody has set a bound on its memory, so the
--   engine's own holds: 80 % of what the system has.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.2.0
reset threads;
