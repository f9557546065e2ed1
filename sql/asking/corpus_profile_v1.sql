-- name: asking/corpus_profile_v1
-- purpose: Says whether a corpus index holds the documents of an ingestion profile.
-- grain: profile
-- reads: ingestions
-- param: profile (varchar, required): the ingestion profile
-- column: profile (varchar): the profile
-- order: profile
-- nulls: never
-- since: 0.1.0
select distinct ingestions.profile
from ingestions
where ingestions.profile = $profile and ingestions.status = 'completed'
order by ingestions.profile
