select 'nobody changes what a photo shows' as what,
  not has_column_privilege('saddle_app', 'photo', 'sealed', 'update')
    and not has_column_privilege('saddle_system', 'photo', 'sealed', 'update')
    and not has_table_privilege('saddle_app', 'photo', 'delete') as ok;
