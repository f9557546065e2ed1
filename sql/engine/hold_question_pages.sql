-- name: engine/hold_question_pages
-- purpose: Works the views `question_pages` and `scores` out once for pages of questions, whose statements run again for
--   every part of them. The tables go with the connection and hide the views, so the statements are the same with and
--   without them.
-- grain: none
-- reads: question_pages, scores
-- order: none
-- nulls: those of the views
-- since: 0.1.0
create temporary table question_pages as
select *
from question_pages
order by page_key;

create temporary table scores as
select *
from scores;
