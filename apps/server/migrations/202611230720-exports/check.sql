select 'the row policy of ' || relname || ' is forced' as what, relforcerowsecurity as ok
from pg_class where oid in ('export_job'::regclass, 'export_part'::regclass);

select 'a file that is no more has no conditions' as what, convalidated as ok
from pg_constraint where conname = 'export_job_forgotten';
