select 'no task has an outcome yet' as what, not exists (select from task where outcome is not null) as ok
union all
select 'steps of workers on the street are still only added',
  not has_table_privilege('saddle_app', 'task_step', 'update, delete');
