select 'an objection is about one bill' as what, convalidated as ok from pg_constraint where conname = 'objection_bill_kind';

select 'requests do not write disputed lines' as what,
  has_table_privilege('saddle_app', 'objection_split_line', 'select')
    and not has_table_privilege('saddle_app', 'objection_split_line', 'insert, update, delete') as ok;
