select 'row level security on device_report' as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid = 'device_report'::regclass;

select 'reports are only added by ' || rolname as what,
  has_table_privilege(rolname, 'device_report', 'insert')
  and not has_table_privilege(rolname, 'device_report', 'update, delete, truncate') as ok
from pg_roles where rolname in ('saddle_app', 'saddle_system');

select 'partitions belong to the system role and requests cannot reach them' as what,
  has_schema_privilege('saddle_system', 'device_report_day', 'create')
  and not has_schema_privilege('saddle_app', 'device_report_day', 'usage')
  and not has_schema_privilege('saddle_system', 'public', 'create')
  and (select relowner::regrole::text from pg_class where oid = 'device_report'::regclass) = 'saddle_system' as ok;

select 'unknown devices are for the system role' as what,
  not has_table_privilege('saddle_app', 'unknown_device', 'select, insert, update, delete') as ok;
