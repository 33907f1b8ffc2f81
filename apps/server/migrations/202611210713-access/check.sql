select 'requests cannot reach ' || relname as what,
  not has_table_privilege('saddle_app', oid, 'select, update, delete')
  and has_table_privilege('saddle_system', oid, 'select') as ok
from pg_class
where oid in ('operator_totp'::regclass, 'operator_recovery_code'::regclass, 'access_change'::regclass)
union all
select 'requests can say that access changed', has_column_privilege('saddle_app', 'access_change', 'kind', 'insert')
  and not has_column_privilege('saddle_app', 'access_change', 'xid', 'insert');
