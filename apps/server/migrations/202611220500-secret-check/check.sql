select 'one row at most says which master secret belongs to this database' as what, count(*) = 1 as ok
from pg_constraint where conrelid = 'secret_check'::regclass and contype = 'p';

select 'handlers of calls do not read it' as what,
  not has_table_privilege('saddle_app', 'secret_check', 'select') as ok;
