select relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where relname in ('ledger_book', 'ledger_account', 'ledger_balance', 'ledger_entry', 'ledger_posting');

select 'requests only read ' || relname as what,
  has_table_privilege('saddle_app', oid, 'select')
    and not has_table_privilege('saddle_app', oid, 'insert, update, delete, truncate')
    and not has_table_privilege('saddle_system', oid, 'delete, truncate') as ok
from pg_class where relname in ('ledger_book', 'ledger_account', 'ledger_balance', 'ledger_entry', 'ledger_posting');

select 'nobody edits an entry' as what,
  not has_table_privilege('saddle_system', 'ledger_entry', 'update')
    and not has_table_privilege('saddle_system', 'ledger_posting', 'update')
    and not has_table_privilege('saddle_system', 'ledger_account', 'update') as ok;

select 'sums are checked' as what,
  ledger_is_balanced('{1,2,3}', '{-100,90,10}') and not ledger_is_balanced('{1,2}', '{-100,90}')
    and not ledger_is_balanced('{1,2}', '{0,0}') and not ledger_is_balanced('{1,2}', '{1,-1,0}') as ok;
