select 'requests read how fresh figures are and do not change it' as what,
  has_table_privilege('saddle_app', 'report_fresh', 'select') and not has_table_privilege('saddle_app', 'report_fresh', 'insert, update, delete')
    and has_table_privilege('saddle_system', 'report_fresh', 'update') as ok;
