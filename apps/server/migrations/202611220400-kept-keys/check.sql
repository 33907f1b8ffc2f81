select 'requests cannot reach kept keys' as what,
  not has_table_privilege('saddle_app', 'kept_key', 'select')
  and not has_table_privilege('saddle_app', 'kept_key', 'insert')
  and has_table_privilege('saddle_system', 'kept_key', 'select') as ok;
