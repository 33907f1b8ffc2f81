select 'photo is behind row level security' as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where relname = 'photo';

select 'nobody changes what a photo shows' as what,
  not has_column_privilege('saddle_app', 'photo', 'sealed', 'update')
  and not has_column_privilege('saddle_system', 'photo', 'sealed', 'update')
  and not has_table_privilege('saddle_app', 'photo', 'delete') as ok;
