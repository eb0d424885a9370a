-- 0018_evidence_by_time: the evidence of a page, newest first.
--
-- Why    a list of evidence sorted all rows of its page for each step, and the newest of a page is
--        asked for with every hit of a recall. With this order in an index both read from its end.
-- Locks  evidence, against writes, while the index is built.

create index evidence_by_time on evidence
  (tenant, page_id, created_at desc, source_kind, source_id);
