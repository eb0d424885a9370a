-- 0009_embedder: what makes the vectors of this store.
--
-- Why    vectors of two encoders can't be compared, and half a store without meaning is not seen by
--        whoever asks it. So a start with another encoder is refused until all vectors are made anew.
--        It is of the store as a whole, not of a tenant. The first start writes the row,
--        unless there are vectors already.
-- Locks  none: a new table.

create table embedder (
  is_only boolean primary key default true check (is_only),
  model text collate "C" not null,
  dimensions int4 not null
);

insert into embedder (model, dimensions)
select model, vector_dims(embedding) from passage where embedding is not null
group by 1, 2 order by count(*) desc limit 1;
