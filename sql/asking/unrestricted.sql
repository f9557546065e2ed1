-- name: asking/unrestricted
-- purpose: Gives a connection back what the program's own settings take from it; for people who ask for it.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
reset memory_limit;
reset threads;
