-- 0005_keyword_statistics: document counts for BM25, kept by the transaction that writes a page.
--
-- Why    BM25 needs N, document frequencies and the mean length of exactly the pages that the
--        caller may read; wider counts would let scores tell of hidden pages. The counts add up,
--        so rows keyed by project and sensitivity serve any list of projects and any clearance.
--        Writes append to keyword_delta (no hot row); a fold carries a backlog into the totals.
-- Locks  none: new tables.

create table keyword_total (
  tenant text collate "C" not null,
  project_id uuid not null,
  sensitivity int2 not null,
  pages int8 not null,
  length int8 not null,
  primary key (tenant, project_id, sensitivity)
);

create table keyword_term (
  tenant text collate "C" not null,
  project_id uuid not null,
  lexeme text collate "C" not null,
  sensitivity int2 not null,
  pages int8 not null,
  primary key (tenant, project_id, lexeme, sensitivity)
);

create table keyword_delta (
  tenant text collate "C" not null,
  project_id uuid not null,
  id int8 generated always as identity,
  sensitivity int2 not null,
  sign int2 not null check (sign in (-1, 1)),
  length int4 not null,
  lexemes text[] collate "C" not null,
  primary key (tenant, project_id, id)
);
