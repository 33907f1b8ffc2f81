select 'row level security on ' || relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid in ('task_step'::regclass, 'task_rule_version'::regclass, 'fault_report'::regclass,
  'work_area'::regclass, 'work_area_person'::regclass, 'fix_reason'::regclass, 'repair_part'::regclass,
  'repair_part_movement'::regclass, 'task_pay'::regclass, 'park_application'::regclass);

select 'steps of tasks are never changed' as what,
  not has_table_privilege('saddle_app', 'task_step', 'update, delete') as ok;

select 'a vehicle has one unfinished task of a kind' as what, pg_get_indexdef('task_open'::regclass) like '%done_at IS NULL%' as ok;
