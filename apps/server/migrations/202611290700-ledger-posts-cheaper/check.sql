select 'no trigger looks at an entry that is inserted' as what, count(*) = 0 as ok
from pg_trigger where tgrelid = 'ledger_entry'::regclass and not tgisinternal and tgname <> 'append_only';

select 'an entry is checked by one function' as what, convalidated and pg_get_constraintdef(oid) =
    'CHECK (ledger_is_sound(kind, reference, key, memo, account_ids, amounts_cents))' as ok
from pg_constraint where conname = 'ledger_entry_is_sound' and conrelid = 'ledger_entry'::regclass;

select 'sums and words are checked' as what,
  ledger_is_sound('k', 'r', 'y', '', '{1,2,3}', '{-100,90,10}')
    and not ledger_is_sound('k', 'r', 'y', '', '{1,2}', '{-100,90}')
    and not ledger_is_sound('k', 'r', 'y', '', '{1,2}', '{0,0}')
    and not ledger_is_sound('k', 'r', 'y', '', '{1,2}', '{1,-1,0}')
    and not ledger_is_sound('k', 'r', 'y', '', '{1,2,3}', '{1,-1,null}')
    and not ledger_is_sound('k', 'r', 'y', '', '{1}', '{0}')
    and not ledger_is_sound('k', 'r', 'y', '', '{}', '{}')
    and not ledger_is_sound('k|', 'r', 'y', '', '{1,2}', '{1,-1}')
    and not ledger_is_sound('k', '', 'y', '', '{1,2}', '{1,-1}')
    and not ledger_is_sound('k', 'r', repeat('y', 81), '', '{1,2}', '{1,-1}')
    and not ledger_is_sound('k', 'r', 'y', repeat('m', 401), '{1,2}', '{1,-1}') as ok;

select 'nobody writes asset details past the ledger: ' || r.name as what,
  not has_function_privilege(r.name, p.oid, 'execute') and not has_table_privilege(r.name, 'asset_detail', 'insert') as ok
from pg_proc p, unnest(array['saddle_app', 'saddle_system']) r (name) where p.proname = 'note_asset_details';

select 'requests do not post by themselves: ' || p.proname as what,
  p.prosecdef and has_function_privilege('saddle_system', p.oid, 'execute')
    and not has_function_privilege('saddle_app', p.oid, 'execute') as ok
from pg_proc p where p.proname in ('ledger_post', 'ledger_post_one');
