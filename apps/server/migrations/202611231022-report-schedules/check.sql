select 'requests make no deliveries' as what, not has_table_privilege('saddle_app', 'report_delivery', 'insert, update, delete') as ok;
