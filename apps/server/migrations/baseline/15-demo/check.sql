select 'requests do not touch the notes of the demo: ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'select') and has_table_privilege('saddle_system', t.name, 'insert') as ok
from unnest(array['demo_history', 'demo_history_day', 'demo_trip_rider']) t (name);

select 'the import of the demo reserves ids' as what,
  has_function_privilege('saddle_system', 'reserve_history_ids(text, bigint)', 'execute')
    and not has_function_privilege('saddle_app', 'reserve_history_ids(text, bigint)', 'execute') as ok;

select 'every table that ids are kept free for has a sequence' as what,
  bool_and(pg_get_serial_sequence(name, 'id') is not null) as ok
from unnest(array['trip', 'task', 'vehicle_event', 'vehicle_alarm']) as name;
