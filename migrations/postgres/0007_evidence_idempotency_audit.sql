-- 0007_evidence_idempotency_audit: what a page is believed on, answers to retries, and the trace of purges.
--
-- Why    evidence is append-only and one row for each source. idempotency_key keeps the first answer
--        of a request, so that a retry gets it again. audit keeps who removed what, without content.
-- Locks  none: new tables.

create table evidence (
  tenant text collate "C" not null,
  page_id uuid not null,
  source_kind text collate "C" not null
    check (source_kind in ('SESSION', 'OBSERVATION', 'FEEDBACK', 'RECONSOLIDATION')),
  source_id text collate "C" not null,
  created_at int8 not null,
  primary key (tenant, page_id, source_kind, source_id),
  foreign key (tenant, page_id) references page (tenant, id) on delete cascade
);

create table idempotency_key (
  tenant text collate "C" not null,
  principal text collate "C" not null,
  key text collate "C" not null,
  operation text collate "C" not null,
  request_sha256 text collate "C" not null,
  answer jsonb not null,
  created_at int8 not null,
  primary key (tenant, principal, key)
);

create table audit (
  tenant text collate "C" not null,
  id int8 generated always as identity,
  at int8 not null,
  principal text not null,
  action text collate "C" not null,
  subject_id uuid not null,
  details jsonb not null,
  primary key (tenant, id)
);
