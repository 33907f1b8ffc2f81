select 'requests do not write acts on money by themselves' as what,
  relrowsecurity and relforcerowsecurity and not has_table_privilege('saddle_app', oid, 'insert')
    and not has_table_privilege('saddle_app', oid, 'update') as ok
from pg_class where relname = 'money_act';
