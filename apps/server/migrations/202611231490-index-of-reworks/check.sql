select 'reworks are found by their test' as what, count(*) = 1 as ok
from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'rework'::regclass and c.relname = 'rework_test';
