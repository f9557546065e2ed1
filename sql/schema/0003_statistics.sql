-- name: schema/0003_statistics
-- purpose: Creates the base tables for what question files and the verdict sidecar know beyond the evidence.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0

-- One question as its file describes it.
create table store.question_fact (
    dataset_id varchar not null,
    question_id varchar not null,
    kind varchar,                     -- null when the file does not say
    topic varchar,                    -- questions of one topic vary together; null when the file does not say
    corpus varchar not null,          -- folder name of the documents, the first part of source titles
    has_relevance boolean not null    -- whether the file says which documents are relevant, even if none is
);

-- One relevant document of a question, relative to the corpus folder.
create table store.relevant_document (
    dataset_id varchar not null,
    question_id varchar not null,
    document varchar not null
);

-- One declared family: which maker a judge or the model behind an approach comes from.
create table store.family (
    subject varchar not null,         -- judge or approach
    name varchar not null,
    family varchar not null
);

-- One line of a verdict sidecar.
create table store.panel_verdict (
    file_id integer not null,
    line bigint not null,
    run_id varchar,
    dataset_id varchar,
    question_id varchar not null,
    judge varchar not null,
    direction varchar not null,       -- forward, reverse or canary
    order_rule varchar not null,
    order_seed varchar,
    state varchar not null,           -- scored, incomplete or unscored
    reason varchar,
    detail varchar not null,
    parse varchar,
    best varchar,
    remark varchar,
    attempts_n bigint not null,
    latency_ms bigint not null        -- of all attempts together
);

-- One answer shown to a judge, in the order shown.
create table store.panel_score (
    file_id integer not null,
    line bigint not null,
    position integer not null,        -- from 1, in the order shown
    label varchar not null,
    approach varchar not null,
    score double,
    reason varchar
);
