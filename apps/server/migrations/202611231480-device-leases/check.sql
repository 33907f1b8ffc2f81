select 'requests do not see which gateway speaks for a vehicle' as what,
  not has_table_privilege('saddle_app', 'device_lease', 'select') as ok;
select 'a vehicle has one lease' as what, count(*) = 1 as ok
from pg_constraint where conrelid = 'device_lease'::regclass and contype = 'p' and pg_get_constraintdef(oid) ~ '\(vehicle_id\)';
