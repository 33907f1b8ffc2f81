select relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid in ('operator'::regclass, 'operator_area'::regclass, 'operator_device'::regclass);

select 'requests cannot reach ' || relname as what,
  not has_table_privilege('saddle_app', oid, 'select, insert, update, delete')
  and has_table_privilege('saddle_system', oid, 'select')
  and has_table_privilege('saddle_system', oid, 'insert') as ok
from pg_class
where oid in (
  'sms_code'::regclass, 'sms_send'::regclass, 'sms_failure'::regclass, 'login_ticket'::regclass,
  'session'::regclass, 'quick_login_used'::regclass, 'call_nonce'::regclass
);
