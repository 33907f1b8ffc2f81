select 'figures of finished work are what the tasks say' as what, not exists (
  (select * from work_day_counted except select * from work_day)
  union all
  (select * from work_day except select * from work_day_counted)
) as ok;

select 'every change of a task reaches its day' as what, count(*) = 3 as ok
from pg_trigger where tgrelid = 'task'::regclass and tgname like 'work\_day\_%' and tgenabled = 'O';
