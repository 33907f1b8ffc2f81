select 'steps of tasks are never changed' as what,
  not has_table_privilege('saddle_app', 'task_step', 'update, delete') as ok;

select 'a vehicle has one unfinished task of a kind' as what, indisunique as ok
from pg_index where indexrelid = 'task_open'::regclass and pg_get_expr(indpred, indrelid) = '(done_at IS NULL)';

select 'every change of a ' || t.name || ' reaches its day' as what, count(g.oid) = 3 as ok
from unnest(array['task', 'task_result', 'task_review']) t (name)
  left join pg_trigger g on g.tgrelid = t.name::regclass and g.tgname like 'work\_day\_%' and g.tgenabled = 'O'
group by t.name;
