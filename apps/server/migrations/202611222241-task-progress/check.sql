select 'a round of a rider is one row' as what, convalidated as ok from pg_constraint where conname = 'task_progress_once';

select 'no role deletes progress' as what,
  not has_table_privilege('saddle_app', t.name, 'delete') and not has_table_privilege('saddle_system', t.name, 'delete') as ok
from unnest(array['task_progress', 'task_ride']) t (name);
