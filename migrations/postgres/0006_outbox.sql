-- 0006_outbox: every change of the graph, in order, for whoever carries it elsewhere.
--
-- Why    a page or edge and its outbox row commit together, so no second write can fail alone.
--        A row names what changed; the reader takes the state from the ledger.
-- Locks  none: new tables.

create table outbox (
  tenant text collate "C" not null,
  sequence int8 generated always as identity,
  subject text collate "C" not null check (subject in ('PAGE', 'EDGE')),
  subject_id uuid not null,
  change text collate "C" not null check (change in ('UPSERT', 'DELETE')),
  recorded_at int8 not null,
  primary key (tenant, sequence)
);
