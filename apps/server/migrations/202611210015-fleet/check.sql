select 'row level security on ' || relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid in (
  'vehicle'::regclass, 'device'::regclass, 'vehicle_status'::regclass, 'vehicle_event'::regclass,
  'vehicle_alarm'::regclass, 'vehicle_command'::regclass
);

select 'events are only added by ' || rolname as what,
  has_table_privilege(rolname, 'vehicle_event', 'insert')
  and not has_table_privilege(rolname, 'vehicle_event', 'update, delete, truncate') as ok
from pg_roles where rolname in ('saddle_app', 'saddle_system');

select 'status updates can stay in their page' as what, reloptions @> array['fillfactor=70'] as ok
from pg_class where oid = 'vehicle_status'::regclass;
