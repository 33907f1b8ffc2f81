select relname || ' is behind row level security' as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where relname in ('complaint', 'complaint_event');

select 'no step of a ticket is changed' as what,
  not has_table_privilege('saddle_app', 'complaint_event', 'update, delete')
  and not has_table_privilege('saddle_system', 'complaint_event', 'update, delete') as ok;
