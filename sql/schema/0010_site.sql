-- name: schema/0010_site
-- purpose: Creates the tables of a results site: what the catalogue, the manifests, the published evaluation snapshots
--   and
--   the judgments say. They are filled afresh each time pages are made and hold nothing that is not in those files.
-- grain: none
-- reads: none
-- order: none
-- nulls: a value is null when its file does not have it, or has it in a shape that cannot be read
-- since: 0.1.0
create schema site;

-- One entry of the dataset catalogue.
create table site.dataset (
    position bigint not null,          -- place in the catalogue, from 1
    dataset_id varchar not null,
    label varchar,
    complexity_level bigint,
    status varchar,                    -- measured or candidate
    ingestion_profile varchar,
    graph_nature varchar,
    questions_file varchar,
    source_url varchar
);

-- One file that a catalogue entry names.
create table site.snapshot (
    position bigint not null,          -- place of the dataset in the catalogue
    dataset_id varchar not null,
    tier varchar not null,             -- base or flavors
    kind varchar not null,             -- evaluation, judgments or evidence
    path varchar,                      -- as the catalogue writes it; null when it names none
    size_bytes bigint,                 -- null when it cannot be read
    sha256 varchar                     -- null when it cannot be read
);

-- One base approach or flavor of the manifests.
create table site.approach (
    position bigint not null,          -- place in its manifest, from 1
    tier varchar not null,             -- base or flavors
    approach varchar not null,
    base_family varchar not null       -- the approach itself for the base tier
);

-- One base family that the project calls experimental.
create table site.experimental (
    base_family varchar not null
);

-- One model that answers for the project today.
create table site.model (
    role varchar not null,             -- for instance light_gen
    part varchar not null,             -- generation or lightrag
    model varchar not null
);

-- One published file.
create table site.artifact (
    path varchar not null,             -- relative to the page that lists it
    size_bytes bigint not null,
    sha256 varchar not null
);

-- One thing in a snapshot that has not the shape it must have.
create table site.problem (
    dataset_id varchar not null,
    tier varchar not null,
    step bigint not null,              -- number of the validation in evaluation contract 7.1
    place varchar not null,            -- where in the file
    message varchar not null
);

-- One dataset of an evaluation snapshot.
create table site.evaluation_dataset (
    dataset_id varchar not null,       -- the catalogue entry that names the file
    tier varchar not null,
    found_dataset_id varchar not null  -- what the file holds
);

-- One approach of an evaluation snapshot.
create table site.evaluation_approach (
    dataset_id varchar not null,
    tier varchar not null,
    approach varchar not null,
    judge_mean double,
    judge_evaluated bigint,
    judge_total bigint,
    judge_coverage double,
    attempted bigint,
    successful bigint,
    errors bigint,
    timeouts bigint,
    mean_latency_ms double,
    error_rate double
);

-- One metric of one approach of an evaluation snapshot.
create table site.evaluation_metric (
    dataset_id varchar not null,
    tier varchar not null,
    approach varchar not null,
    metric varchar not null,
    mean double,
    evaluated bigint,
    total bigint,
    not_evaluable bigint,
    errors bigint,
    timeouts bigint,
    coverage double
);

-- One judgments file.
create table site.panel (
    dataset_id varchar not null,
    tier varchar not null,
    found_dataset_id varchar           -- what the file says
);

-- One judge of a judgments file.
create table site.panel_judge (
    dataset_id varchar not null,
    tier varchar not null,
    judge varchar not null
);

-- One judged question.
create table site.panel_question (
    dataset_id varchar not null,
    tier varchar not null,
    position bigint not null,          -- place in the file, from 1
    question_id varchar not null,
    query varchar,
    observed_winner varchar
);

-- The mean of one answer over the judges, as the file has it.
create table site.panel_mean (
    dataset_id varchar not null,
    tier varchar not null,
    position bigint not null,
    approach varchar not null,
    mean double not null
);

-- One judge's score of one answer.
create table site.panel_score (
    dataset_id varchar not null,
    tier varchar not null,
    position bigint not null,
    judge varchar not null,
    approach varchar not null,
    score double not null
);

-- One verdict that failed.
create table site.panel_failure (
    dataset_id varchar not null,
    tier varchar not null,
    position bigint not null,
    judge varchar not null,
    reason varchar
);

-- One model that scored rows of the evidence.
create table site.evaluator (
    dataset_id varchar not null,
    tier varchar not null,
    model varchar not null
);
