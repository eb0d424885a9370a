-- 0020_lint: finds what wants mending, and what a session starts from, without reading all pages.
--
-- Why    title_key is equal for titles of the same words: it is made of the terms that the keyword
--        index has of the title, which are folded and stemmed, as a set, without the commonest words.
--        Null where a title has no others.
--        The indexes read a project's pages of one kind from the newest on, those that are no longer
--        current, those with titles of the same words side by side, and the active typed edges of a
--        tenant by kind, of which there are far fewer than of all edges.
-- Locks  rewrites page, and builds its indexes, under ACCESS EXCLUSIVE: time grows with the table.
--        edge, against writes, while its index is built.

alter table page add column title_key uuid generated always as (
  md5(nullif(ts_delete(
    strip(ts_filter(keyword, '{a}')), '{a,an,and,for,in,of,on,the,to,with}'::text[])::text, ''))::uuid
) stored;

create index page_by_title_key on page (tenant, project_id, title_key, path);
create index page_by_kind on page (tenant, project_id, kind, recorded_at desc, id);
create index page_past on page (tenant, project_id, path)
  where archived or superseded or valid_to < 253402300800000;
create index edge_typed on edge (tenant, kind, id)
  where recorded_to = 253402300800000 and not bare;
