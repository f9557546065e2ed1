-- name: staging/planted_verdicts_v1
-- purpose: Creates the view `staging.planted_verdicts`: what judges made of prompts with planted answers, which are calls of
--   their own: the planted answers and those that stood beside them, newest verdict only.
-- grain: source_file, question_id, judge, position
-- reads: verdict_scores
-- order: none
-- nulls: score is null when the judge gave none; characters_n is null when the answer is not in this database
-- since: 0.1.0
create or replace view staging.planted_verdicts as
select
    verdict_scores.source_file,
    verdict_scores.judge,
    verdict_scores.question_id,
    verdict_scores.position,
    verdict_scores.approach,
    verdict_scores.is_planted,
    verdict_scores.score,
    verdict_scores.is_best,
    verdict_scores.characters_n
from verdict_scores
where verdict_scores.direction = 'canary' and verdict_scores.is_current;
