-- 0014_projection_setback: when a tenant whose graph can't be brought up to date is tried again.
--
-- Why    a graph that is made anew costs a copy of the whole tenant, so one that fails must not begin
--        again at once: the wait grows with setbacks, over restarts and whichever process projects.
--        An operator sees how many tenants wait, and setback says why. All three go back to their
--        defaults once the tenant is brought further.
-- Locks  projection for the moment of adding three columns with constant defaults.

alter table projection
  add column setbacks int4 not null default 0,
  add column retry_at int8 not null default 0,
  add column setback text;
