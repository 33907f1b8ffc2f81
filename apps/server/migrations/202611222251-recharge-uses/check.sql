select 'requests write no recharge with an offer' as what,
  not has_table_privilege('saddle_app', 'recharge_use', 'insert, update, delete, truncate')
    and not has_table_privilege('saddle_system', 'recharge_use', 'delete, truncate') as ok;
