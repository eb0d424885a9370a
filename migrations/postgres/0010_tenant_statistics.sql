-- 0010_tenant_statistics: the planner does not look at how common a tenant or a project is.
--
-- Why    a tenant that is new since tables were last counted is taken for one row, so that every index
--        seems to cost the same, and a join of a thousand pages reads all pages a thousand times:
--        46 s where 0.4 s is right. Without these statistics each tenant is taken for an average one.
-- Locks  each table for a moment; nothing is rewritten. What was counted before goes with the next
--        count of the table.

alter table project alter column tenant set statistics 0;
alter table page alter column tenant set statistics 0, alter column project_id set statistics 0;
alter table page_version
  alter column tenant set statistics 0, alter column project_id set statistics 0;
alter table passage alter column tenant set statistics 0, alter column project_id set statistics 0;
alter table edge alter column tenant set statistics 0;
alter table waiting_edge alter column tenant set statistics 0;
alter table keyword_total
  alter column tenant set statistics 0, alter column project_id set statistics 0;
alter table keyword_term
  alter column tenant set statistics 0, alter column project_id set statistics 0;
alter table keyword_delta
  alter column tenant set statistics 0, alter column project_id set statistics 0;
alter table outbox alter column tenant set statistics 0;
alter table evidence alter column tenant set statistics 0;
alter table idempotency_key alter column tenant set statistics 0;
alter table projection alter column tenant set statistics 0;
