select 'nobody writes the ledger past its functions: ' || t.name || ', ' || r.name as what,
  not has_table_privilege(r.name, t.name, 'insert, update, delete, truncate') as ok
from unnest(array['ledger_book', 'ledger_account', 'ledger_balance', 'ledger_entry', 'ledger_owner_posting']) t (name),
  unnest(array['saddle_app', 'saddle_system']) r (name);

select 'requests do not post by themselves: ' || p.proname as what,
  p.prosecdef and has_function_privilege('saddle_system', p.oid, 'execute')
    and not has_function_privilege('saddle_app', p.oid, 'execute') as ok
from pg_proc p where p.proname in ('ledger_post', 'ledger_post_one', 'ledger_open');

select 'postings by account are those of accounts with an owner' as what, not exists (
  select from ledger_owner_posting p join ledger_account a on a.id = p.account_id where a.owner_id = 0
) as ok;
