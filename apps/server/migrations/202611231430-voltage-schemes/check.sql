select 'results of replays are kept apart by tenant' as what, count(*) = 1 as ok
from pg_class where relname = 'voltage_replay_vehicle' and relforcerowsecurity;
select 'a percentage knows its version' as what, count(*) = 2 as ok
from information_schema.columns where column_name = 'battery_version' and table_name in ('vehicle_status', 'device_report')
  and table_schema = current_schema();
select 'requests of tenants read no scheme by themselves' as what,
  not has_table_privilege('saddle_app', 'voltage_version', 'select') as ok;
