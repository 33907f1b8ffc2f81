select 'saddle_app may not touch the demo''s notes' as what,
  not has_table_privilege('saddle_app', 'demo_history', 'select')
  and not has_table_privilege('saddle_app', 'demo_history_day', 'select')
  and not has_function_privilege('saddle_app', 'reserve_history_ids(text, bigint)', 'execute') as ok
union all
select 'saddle_system may',
  has_table_privilege('saddle_system', 'demo_history', 'insert')
  and has_function_privilege('saddle_system', 'reserve_history_ids(text, bigint)', 'execute')
union all
select 'every table that ids are kept free for has a sequence', bool_and(pg_get_serial_sequence(name, 'id') is not null)
from unnest(array['trip', 'task', 'vehicle_event', 'vehicle_alarm']) as name;
