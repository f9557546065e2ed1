-- name: staging/relevance_v1
-- purpose: Creates the view `relevance`: what question files say about questions beyond their wording.
-- grain: dataset_id, question_id
-- reads: store.question_fact, store.relevant_document
-- order: none
-- nulls: kind and topic are null when the file does not say; relevant_n is null when it names no documents at all
-- since: 0.1.0
create or replace view relevance as
select
    question_fact.dataset_id,
    question_fact.question_id,
    min(question_fact.kind) as kind,
    min(question_fact.topic) as topic,
    min(question_fact.corpus) as corpus,
    case when bool_and(question_fact.has_relevance) then count(relevant.document) end as relevant_n
from store.question_fact as question_fact
left join store.relevant_document as relevant
    on relevant.dataset_id = question_fact.dataset_id and relevant.question_id = question_fact.question_id
group by question_fact.dataset_id, question_fact.question_id;

comment on view relevance is 'One question as its file describes it, whether or not it was asked.';
comment on column relevance.dataset_id is 'The dataset.';
comment on column relevance.question_id is 'Names the question within its dataset.';
comment on column relevance.kind is 'What kind of question it is; null when the file does not say.';
comment on column relevance.topic is 'What questions that vary together have in common; null when the file does not say.';
comment on column relevance.corpus is 'Folder of the documents, the first part of source titles.';
comment on column relevance.relevant_n is 'Documents that hold the answer; 0 when none does, null when the file does not say.';
