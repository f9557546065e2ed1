-- name: schema/0020_contexts_missing
-- purpose: Adds to a cell whether its service handed out no contexts at all. Rows read before it have none to say so.
-- grain: none
-- reads: store.cell
-- order: none
-- nulls: null in rows that were read before this column existed
-- since: 0.1.0
alter table store.cell add column contexts_missing boolean;
