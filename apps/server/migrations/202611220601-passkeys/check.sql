select 'requests cannot reach passkeys' as what,
  not has_table_privilege('saddle_app', 'operator_passkey', 'select, insert, update, delete')
  and has_table_privilege('saddle_system', 'operator_passkey', 'select, insert, update, delete') as ok;
