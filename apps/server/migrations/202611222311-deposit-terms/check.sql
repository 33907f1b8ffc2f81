select 'a setting for a company inherits nothing' as what, exists (
  select from pg_constraint where conname = 'deposit_setting_inherits') as ok;
