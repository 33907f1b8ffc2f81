select 'a bucket is what the contract computes' as what, holdout_bucket(12345, 1001) = 7770 and holdout_bucket(4294967295, 9007199254740991) = 1771 as ok;

select 'nobody removes the setting of a company' as what,
  not has_table_privilege('saddle_app', 'marketing_control', 'delete')
    and not has_table_privilege('saddle_system', 'marketing_control', 'delete') as ok;
