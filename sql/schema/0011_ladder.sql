-- name: schema/0011_ladder
-- purpose: Creates the tables in which the dataset ladder compares what one run of one dataset left with what it was to
--   leave. They are filled afresh for each run that is checked and hold nothing that is not in its files or its plan.
-- grain: none
-- reads: none
-- order: none
-- nulls: a value is null when its file does not have it, or has it in a shape that cannot be read
-- since: 0.1.0
create schema ladder;

-- The run that is checked.
create table ladder.expected_run (
    run_id varchar not null,
    dataset_id varchar not null
);

-- One planned cell.
create table ladder.expected_cell (
    position bigint not null,          -- place in the plan, from 1
    question_id varchar not null,
    approach varchar not null
);

-- One metric that the manifest asks for.
create table ladder.expected_metric (
    metric varchar not null
);

-- One judge of the panel; no row when the panel is switched off.
create table ladder.expected_judge (
    position bigint not null,          -- place in the panel, from 1
    judge varchar not null
);

-- One fact that every row must record with this value.
create table ladder.expected_fact (
    name varchar not null,             -- for instance config_hashes.flavors
    value varchar
);

-- One thing in a file that has not the shape it must have.
create table ladder.problem (
    gate bigint not null,              -- number of the gate it belongs to
    place bigint not null,             -- where in the file, in the order of the file
    message varchar not null
);

-- One cell of the compatibility matrix.
create table ladder.matrix_cell (
    position bigint not null,          -- place in the file, from 1
    question_id varchar,
    approach varchar,
    is_ok boolean not null,
    reason varchar                     -- why it is not; null when it is
);

-- What one line of the evidence was made with.
create table ladder.row_provenance (
    line bigint not null,
    provenance_id varchar not null     -- equal for rows that were made with the same
);

-- One recorded fact of a provenance.
create table ladder.provenance_fact (
    provenance_id varchar not null,
    name varchar not null,             -- keys joined by points, for instance runtime.judge_panel.models
    kind varchar not null,             -- text, number, boolean, null, list or map (an empty one)
    value varchar                      -- text as it is, everything else as its JSON text; null for kind null
);

-- One evaluation summary.
create table ladder.summary (
    schema_version bigint
);

-- One dataset of the summary.
create table ladder.summary_dataset (
    dataset_id varchar not null,
    total_rows bigint,
    ok bigint,
    errors bigint,
    timeouts bigint,
    judges_status varchar,
    evaluated_queries bigint,
    total_queries bigint
);

-- One judge of a dataset of the summary.
create table ladder.summary_judge (
    dataset_id varchar not null,
    position bigint not null,          -- place in the list, from 1
    judge varchar not null
);

-- One judgments file.
create table ladder.panel (
    status varchar,
    dataset_id varchar,
    backend varchar,
    endpoint varchar
);

-- One judge of the judgments.
create table ladder.panel_judge (
    position bigint not null,          -- place in the list, from 1
    judge varchar not null
);

-- One question of the judgments.
create table ladder.panel_question (
    position bigint not null,          -- place in the file, from 1
    question_id varchar not null
);

-- One mean of the judgments.
create table ladder.panel_mean (
    position bigint not null,          -- place of the question
    approach varchar not null
);

-- One verdict of the judgments.
create table ladder.panel_verdict (
    position bigint not null,          -- place of the question
    place bigint not null,             -- place of the judge within the question, from 1
    judge varchar not null,
    reason varchar                     -- why the judge scored nobody; null when it did
);

-- One score of a verdict.
create table ladder.panel_score (
    position bigint not null,          -- place of the question
    judge varchar not null,
    approach varchar not null
);
