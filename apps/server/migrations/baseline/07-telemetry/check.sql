select 'reports are only appended by ' || rolname as what,
  has_table_privilege(rolname, 'device_report', 'insert')
    and not has_table_privilege(rolname, 'device_report', 'update, delete, truncate') as ok
from pg_roles where rolname in ('saddle_app', 'saddle_system');

select 'tracks are written by the platform alone' as what,
  has_table_privilege('saddle_system', 'track_segment', 'insert')
    and not has_table_privilege('saddle_app', 'track_segment', 'insert, update, delete, truncate') as ok;

select 'partitions of ' || relname || ' belong to the system role and requests cannot reach them' as what,
  relowner::regrole::text = 'saddle_system' and has_schema_privilege('saddle_system', relname || '_day', 'create')
    and not has_schema_privilege('saddle_app', relname || '_day', 'usage')
    and not has_schema_privilege('saddle_system', 'public', 'create') as ok
from pg_class where oid in ('device_report'::regclass, 'track_segment'::regclass);

select 'the gateway alone adds unknown devices' as what,
  not has_table_privilege('saddle_app', 'unknown_device', 'insert, delete') as ok;

select 'requests do not read gateways' as what, not has_table_privilege('saddle_app', 'gateway_node', 'select') as ok;
