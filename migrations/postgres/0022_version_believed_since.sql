-- 0022_version_believed_since: from when evidence counts for a version.
--
-- Why    evidence belongs to the page and outlives an extended version, but says nothing for content
--        that took the place of other content. The default is the earliest instant: of versions that
--        are there already, all evidence counts, as before.
-- Locks  page_version, ACCESS EXCLUSIVE, for a moment: a constant default rewrites nothing.

alter table page_version add column believed_since int8 not null default -62135596800000;
