select 'steps of tasks are never changed' as what,
  not has_table_privilege('saddle_app', 'task_step', 'update, delete') as ok;

select 'a vehicle has one unfinished task of a kind' as what, indisunique as ok
from pg_index where indexrelid = 'task_open'::regclass and pg_get_expr(indpred, indrelid) = '(done_at IS NULL)';

select 'every change of a task reaches its day' as what, count(*) = 3 as ok
from pg_trigger where tgrelid = 'task'::regclass and tgname like 'work\_day\_%' and tgenabled = 'O';
