select 'steps and terms are only added: ' || t.name as what,
  not has_table_privilege('saddle_system', t.name, 'update, delete, truncate')
    and not has_table_privilege('saddle_app', t.name, 'insert, update, delete, truncate') as ok
from unnest(array['withdrawal_step', 'withdrawal_terms']) t (name);

select 'requests only read ' || t.name as what,
  has_table_privilege('saddle_app', t.name, 'select')
    and not has_table_privilege('saddle_app', t.name, 'insert, update, delete') as ok
from unnest(array['withdrawal', 'withdrawal_day', 'bank_card', 'sub_account', 'account_opening']) t (name);

select 'a company has one open application' as what, indisunique as ok
from pg_index where indexrelid = 'account_opening_open'::regclass;

select 'a withdrawal has one number at the bank' as what, count(*) = 1 as ok
from pg_constraint where conname = 'withdrawal_number_key' and contype = 'u';
