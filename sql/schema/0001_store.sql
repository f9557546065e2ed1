-- name: schema/0001_store
-- purpose: Creates the base tables that ingest fills; people read the views of schema main instead.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
create schema store;
create schema staging;

create table store.migration (
    number integer not null,
    applied_at timestamp with time zone not null default now()
);

-- Hash of the macros and views that are installed.
create table store.definition (
    sha256 varchar not null
);

-- One file that was read, and how far.
create table store.file (
    file_id integer not null,
    path varchar not null,
    kind varchar not null,            -- evidence or judgments
    size_bytes bigint not null,       -- bytes read, up to the end of the last whole line
    lines_n bigint not null,          -- physical lines in those bytes
    head_sha256 varchar not null,     -- of the first 4096 of those bytes
    tail_sha256 varchar not null      -- of the last 4096 of those bytes
);

-- One canonical row.
create table store.cell (
    file_id integer not null,
    line bigint not null,
    row_id varchar not null,
    schema_version bigint,
    runner_version bigint,
    run_id varchar not null,
    dataset_id varchar not null,
    dataset_label varchar,
    complexity_level bigint not null,
    question_id varchar not null,
    query varchar,
    ground_truth varchar,
    rationale varchar,
    expect_winner varchar,
    approach varchar not null,
    base_approach varchar,
    flavor varchar,
    evidence_capability varchar,
    requires_reingest boolean,
    provider varchar,
    seed varchar,
    status varchar not null,
    latency_ms bigint,
    attempts bigint,
    prompt_tokens bigint,
    completion_tokens bigint,
    total_tokens bigint,
    llm_calls bigint,
    chunks bigint,
    answer varchar,
    transport varchar,
    error_type varchar,
    error_message varchar,
    ragas_status varchar,
    ragas_error_type varchar,
    evaluator_model varchar,
    embeddings_model varchar,
    judge_status varchar,
    contexts_missing boolean           -- whether the service handed out no contexts at all
);

-- The whole row as text, so that no field is lost to SQL.
create table store.body (
    file_id integer not null,
    line bigint not null,
    row_id varchar not null,
    body varchar not null
);

-- The title of one source of a row, so that nobody takes whole rows apart to see what was retrieved.
create table store.source_title (
    file_id integer not null,
    line bigint not null,
    row_id varchar not null,
    position bigint not null,
    title varchar not null,           -- empty when the source has none
    snippet_start varchar,            -- the first 800 characters of its text; null when it has none
    snippet_chars bigint,             -- characters of the whole text
    score double                      -- null when it has none that is a number
);

-- One metric that a row mentions anywhere.
create table store.score (
    file_id integer not null,
    line bigint not null,
    metric varchar not null,
    requested boolean not null,
    score_kind varchar not null,      -- number, boolean, null, text, list, map or absent
    score double,                     -- only for kind number
    not_evaluable_reason varchar,     -- null when the row does not list the metric there
    metric_error varchar              -- null when the row does not list the metric there
);

-- One judgments file; `problem` columns say why it cannot be used.
create table store.judgment (
    file_id integer not null,
    run_id varchar,
    status varchar,
    error_text varchar,
    dataset_given boolean not null,
    dataset_id varchar,
    read_problem varchar,
    queries_problem varchar
);

-- One judge named by a judgments file.
create table store.judge_model (
    file_id integer not null,
    position integer not null,
    judge varchar not null
);

-- One mean of a judgments file: question x approach, in the order of the file.
create table store.judge_mean (
    file_id integer not null,
    position integer not null,
    question_id varchar not null,
    approach varchar not null,
    mean double not null
);

-- One judge x question x approach of a judgments file.
create table store.judge_verdict (
    file_id integer not null,
    position integer not null,
    question_id varchar not null,
    judge varchar not null,
    approach varchar,
    score double,
    is_best boolean,
    state varchar not null,
    reason varchar
);
