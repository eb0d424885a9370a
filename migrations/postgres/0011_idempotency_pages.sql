-- 0011_idempotency_pages: finds the answers that name a page, and those that are old.
--
-- Why    a purge must empty the answers that name its page, and keys are kept for some days only;
--        without an index either reads all keys of a tenant. page_ids holds the pages that an answer
--        names; an answer of null was purged.
--        Words that no page has any more go from the counts, as each fold removes them from now on.
-- Locks  idempotency_key while its rows are filled and the indexes are built; reads all keyword_term.

alter table idempotency_key add column page_ids uuid[] not null default '{}';

update idempotency_key set page_ids = array(
  select distinct (named #>> '{}')::uuid
  from (
    select jsonb_path_query(answer, '$.result[*].pageId')
    union all select jsonb_path_query(answer, '$.result[*].edge.fromId')
    union all select jsonb_path_query(answer, '$.result[*].edge.toId')
  ) as n(named)
);

create index idempotency_key_page on idempotency_key using gin (tenant, page_ids)
  with (fastupdate = off);
create index idempotency_key_created on idempotency_key (tenant, created_at);

delete from keyword_term where pages = 0;
