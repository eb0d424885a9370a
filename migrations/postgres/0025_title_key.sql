-- 0025_title_key: titles are compared without MD5.
--
-- Why    a server that runs under FIPS has no md5(), so that no page could be written. title_key says
--        the same as before (0020_lint), hashed twice by what Postgres uses for its own tables: 128 bits.
--        Since the table is rewritten, each block keeps a tenth free, so that feedback, which changes no
--        index, is noted beside the row it replaces and adds nothing to the ten indexes.
-- Locks  rewrites page, and builds its index, under ACCESS EXCLUSIVE: time grows with the table.

alter table page set (fillfactor = 90);
alter table page drop column title_key;

alter table page add column title_key uuid generated always as (
  (lpad(to_hex(hashtextextended(nullif(ts_delete(
      strip(ts_filter(keyword, '{a}')), '{a,an,and,for,in,of,on,the,to,with}'::text[])::text, '')
      collate "C", 0)), 16, '0')
    || lpad(to_hex(hashtextextended(nullif(ts_delete(
      strip(ts_filter(keyword, '{a}')), '{a,an,and,for,in,of,on,the,to,with}'::text[])::text, '')
      collate "C", 1)), 16, '0'))::uuid
) stored;

create index page_by_title_key on page (tenant, project_id, title_key, path);
