select relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid in ('agent'::regclass, 'role'::regclass, 'role_permission'::regclass, 'service_area'::regclass);

select 'requests cannot reach applications' as what,
  not has_table_privilege('saddle_app', 'franchise_application', 'select, insert, update, delete') as ok;

select 'nobody is below an agent that does not exist' as what, count(*) = 0 as ok from agent_and_below(0);
