select 'requests cannot reach ' || relname as what,
  not has_table_privilege('saddle_app', oid, 'select, insert, update, delete')
  and has_table_privilege('saddle_system', oid, 'select, insert, update, delete') as ok
from pg_class
where oid in ('sms_code'::regclass, 'sms_guess'::regclass);
