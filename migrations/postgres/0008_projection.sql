-- 0008_projection: how far each tenant's outbox has been carried into the graph database.
--
-- Why    a reader must know the newest change of its tenant by one look-up, and whoever carries the
--        outbox must find the tenants that are behind without reading it. newest is written by the
--        writers, who take turns; projected follows what the graph database itself says; rows of
--        the outbox up to pruned are gone. A change that can't be carried is noted in
--        projection_failure and stops nothing else. projection has no second index, so that the
--        update of each write stays on its page: one row a tenant is soon read.
--        The outbox learns where a deleted page was and how sensitive, since nothing else is left
--        to tell who may hear of it.
-- Locks  outbox for the moment of adding two columns without a value.

create table projection (
  tenant text collate "C" primary key,
  newest int8 not null,
  projected int8 not null default 0,
  pruned int8 not null default 0
);

insert into projection (tenant, newest)
select tenant, max(sequence) from outbox group by tenant;

create table projection_failure (
  tenant text collate "C" not null,
  subject text collate "C" not null,
  subject_id uuid not null,
  sequence int8 not null,
  message text not null,
  failed_at int8 not null,
  primary key (tenant, subject, subject_id)
);

alter table outbox add column project_id uuid, add column sensitivity int2;
