select 'requests cannot reach ' || relname as what,
  not has_table_privilege('saddle_app', oid, 'select, insert, update, delete')
    and has_table_privilege('saddle_system', oid, 'select')
    and has_table_privilege('saddle_system', oid, 'insert') as ok
from pg_class
where oid in (
  'sms_code'::regclass, 'sms_guess'::regclass, 'sms_send'::regclass, 'sms_failure'::regclass, 'login_ticket'::regclass,
  'session'::regclass, 'quick_login_used'::regclass, 'call_nonce'::regclass, 'operator_totp'::regclass,
  'operator_recovery_code'::regclass, 'operator_passkey'::regclass
);

select 'requests can only say that access changed' as what,
  has_column_privilege('saddle_app', 'access_change', 'kind', 'insert')
    and not has_column_privilege('saddle_app', 'access_change', 'xid', 'insert')
    and not has_table_privilege('saddle_app', 'access_change', 'select, update, delete') as ok;
