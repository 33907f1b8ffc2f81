select 'a model has a profile for each protocol' as what, count(*) = 1 as ok
from pg_constraint where conrelid = 'vehicle_model'::regclass and contype = 'p' and array_length(conkey, 1) = 2;

select 'whoever of the platform changes secrets may set the profiles of models' as what, not exists (
  select from role_permission has join agent on agent.id = has.agent_id and agent.parent_id is null
  where has.code = '030802' and not exists (
    select from role_permission other where other.role_id = has.role_id and other.code = '030803')) as ok;
