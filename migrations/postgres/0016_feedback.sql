-- 0016_feedback: how often a page was found useful, not useful, or wrong.
--
-- Why    these counts weigh the authority of a page in every recall, which reads the one narrow row.
--        They belong to the page, not to a version, and their order does not matter.
-- Locks  page for the moment of adding three columns with a constant.

alter table page
  add column useful int4 not null default 0,
  add column not_useful int4 not null default 0,
  add column wrong int4 not null default 0;
