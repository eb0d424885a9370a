-- 0028_tenant_policies: Postgres itself keeps tenants apart.
--
-- Why    each statement names its tenant; should one ever forget to, row-level security shows it no
--        row, since work for a tenant runs as causeway_tenant, which owns nothing and bypasses nothing,
--        with the tenant in the setting causeway.tenant, both for one transaction. Migrations, the
--        projector, pruning and commands of an operator work as the owner of the tables, to whom no
--        policy applies. What is of the store as a whole may be read. Keys of callers may not even.
--        The two views are for conditions that an index answers, but that Postgres does not hold to be
--        leakproof: under a policy it would look at every row of the tenant instead. They cut at the
--        same setting, and show as much as the policy.
-- Locks  every table for the moment of switching row-level security on.
-- Needs  leave to make a role, or causeway_tenant made before: create role causeway_tenant nologin,
--        and granted to the user that Causeway connects as.

do $$
begin
  if not exists (select from pg_roles where rolname = 'causeway_tenant') then
    create role causeway_tenant nologin nosuperuser nobypassrls;
  end if;
exception
  -- Roles are of the server: that of another database may have been made just now.
  when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
  if not (select rolsuper from pg_roles where rolname = current_user)
    and not pg_has_role(current_user, 'causeway_tenant', 'member') then
    execute format('grant causeway_tenant to %I', current_user);
  end if;
end
$$;

grant usage on schema public to causeway_tenant;

do $$
declare
  name text;
begin
  for name in
    select t.relname from pg_class t
    join pg_attribute a on a.attrelid = t.oid and a.attname = 'tenant'
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
  loop
    execute format('alter table %I enable row level security', name);
    execute format(
      'create policy tenant_alone on %I to causeway_tenant
        using (tenant = current_setting(''causeway.tenant'', true))
        with check (tenant = current_setting(''causeway.tenant'', true))', name);
    if name <> 'api_key' then
      execute format('grant select, insert, update, delete on %I to causeway_tenant', name);
    end if;
  end loop;
end
$$;

alter table schema_migration enable row level security;
create policy read_alone on schema_migration for select to causeway_tenant using (true);
grant select on schema_migration to causeway_tenant;

alter table embedder enable row level security;
create policy read_alone on embedder for select to causeway_tenant using (true);
grant select on embedder to causeway_tenant;

create view page_of_tenant as
  select * from page where tenant = current_setting('causeway.tenant', true);
grant select on page_of_tenant to causeway_tenant;

create view idempotency_key_of_tenant as
  select * from idempotency_key where tenant = current_setting('causeway.tenant', true)
  with local check option;
grant select, update on idempotency_key_of_tenant to causeway_tenant;
