select 'requests do not change fleet_hour' as what,
  not has_table_privilege('saddle_app', 'fleet_hour', 'insert, update, delete, truncate') as ok;
