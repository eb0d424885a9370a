-- 0012_page_order: lists of pages in each of their orders.
--
-- Why    a step of a list read and sorted every page that passes the filter, each time anew. With its
--        order in an index it reads from its cursor on, and no further than it must; the other
--        direction reads the same index backwards. Text is ordered by its bytes.
-- Locks  page, against writes, while each index is built.

create index page_by_path on page (tenant, path, id);
create index page_by_title on page (tenant, title collate "C", id);
create index page_by_recorded_at on page (tenant, recorded_at, id);
create index page_by_created_at on page (tenant, created_at, id);
create index page_by_importance on page (tenant, importance, id);
