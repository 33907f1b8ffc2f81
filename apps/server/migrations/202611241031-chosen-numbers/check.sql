select 'nobody has chosen what no setting is' as what, chosen_numbers('no_such_setting', 1, 2) is null as ok;

select 'choices of companies are found by their setting' as what, exists (
  select from pg_indexes where indexname = 'setting_change_by_code'
) as ok;
