select 'nobody writes the ledger past its functions: ' || t.name || ', ' || r.name as what,
  has_table_privilege(r.name, t.name, 'select')
    and not has_table_privilege(r.name, t.name, 'insert, update, delete, truncate') as ok
from unnest(array['ledger_book', 'ledger_account', 'ledger_balance', 'ledger_entry', 'ledger_owner_posting',
  'ledger_posting']) t (name), unnest(array['saddle_app', 'saddle_system']) r (name);

select 'requests do not post by themselves: ' || p.proname as what,
  p.prosecdef and has_function_privilege('saddle_system', p.oid, 'execute')
    and not has_function_privilege('saddle_app', p.oid, 'execute') as ok
from pg_proc p where p.proname in ('ledger_post', 'ledger_post_one', 'ledger_open');

select 'sums are checked' as what,
  ledger_is_balanced('{1,2,3}', '{-100,90,10}') and not ledger_is_balanced('{1,2}', '{-100,90}')
    and not ledger_is_balanced('{1,2}', '{0,0}') and not ledger_is_balanced('{1,2}', '{1,-1,0}') as ok;
